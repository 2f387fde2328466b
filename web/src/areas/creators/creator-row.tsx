import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type CreatorRef, creatorQuery } from "../../data/creators.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { initialsOf } from "../../ui/initials.ts";
import { PersonLine } from "../../ui/person-row.tsx";
import { useSeen } from "../../ui/use-near-viewport.ts";
import { isNative, platformNames } from "./creator-params.ts";

/** A creator of whom a list tells the name alone; the rest is asked for when somebody looks. */
export function CreatorLine({
  whom,
  says,
  children,
}: {
  whom: CreatorRef;
  says?: string;
  children?: ReactNode;
}) {
  const { t } = useText();
  const [ref, seen] = useSeen<HTMLLIElement>();
  const { data: creator } = useQuery({ ...creatorQuery(useApi(), whom), enabled: seen });
  const origin = isNative(whom)
    ? `@${whom.author}`
    : t("creators.gathered", { platform: platformNames[whom.platform] });
  const name = creator?.displayName ?? whom.author;
  return (
    <li ref={ref}>
      <PersonLine
        to={creatorAddress(whom)}
        picture={
          creator ? (
            <Avatar name={name} src={creator.avatarUrl} isAgent={creator.authorIsAgent} />
          ) : (
            <Nobody name={name} />
          )
        }
        name={name}
        isAgent={creator?.authorIsAgent ?? false}
        says={[origin, says].filter(Boolean).join(" · ")}
      >
        {children}
      </PersonLine>
    </li>
  );
}

/** Of whom nothing is known yet: neither person nor agent. */
function Nobody({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-grid size-10 shrink-0 place-items-center rounded-xl bg-sunken text-sm font-bold text-soft select-none"
    >
      {initialsOf(name)}
    </span>
  );
}
