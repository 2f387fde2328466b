import type { Creator } from "@tandem/contract/resources";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type CreatorRef, creatorQuery } from "../../data/creators.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName, fullNameOf } from "../../shared/full-name.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { initialsOf } from "../../ui/initials.ts";
import { PersonRow } from "../../ui/person-row.tsx";
import { useNearViewport } from "../../ui/use-near-viewport.ts";
import { isLocalCreator } from "./creator-params.ts";

/** A creator in a list that has only names and operators. The profile is loaded when the row is near the viewport. */
export function CreatorRow({
  creator,
  description,
  children,
}: {
  creator: CreatorRef & Pick<Creator, "operator">;
  description?: string;
  /** Buttons. They get display name and handle, or only the handle until the profile is loaded. */
  children?(name: string): ReactNode;
}) {
  const { t } = useText();
  const [ref, isNear] = useNearViewport<HTMLLIElement>();
  const { data: profile } = useQuery({ ...creatorQuery(useApi(), creator), enabled: isNear });
  const origin = isLocalCreator(creator)
    ? `@${creator.author}`
    : t("creators.importedFrom", { platform: t(`platform.${creator.platform}`) });
  const operator =
    creator.operator &&
    t("creators.operatedByName", {
      name: fullName(creator.operator.username, creator.operator.displayName),
    });
  const name = profile?.displayName ?? creator.author;
  return (
    <li ref={ref}>
      <PersonRow
        to={creatorAddress(creator)}
        picture={
          profile ? (
            <Avatar
              name={name}
              src={profile.avatarUrl}
              isAgent={profile.authorIsAgent}
              platform={creator.platform}
            />
          ) : (
            <AvatarPlaceholder name={name} />
          )
        }
        name={name}
        isAgent={creator.operator !== null}
        description={[origin, description].filter(Boolean).join(" · ")}
        note={operator ?? undefined}
      >
        {children?.(fullNameOf({ ...creator, displayName: profile?.displayName }))}
      </PersonRow>
    </li>
  );
}

/** A neutral avatar while it isn't known whether this is a person or an agent. */
function AvatarPlaceholder({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-grid size-10 shrink-0 place-items-center rounded-xl bg-sunken text-sm font-bold text-soft select-none"
    >
      {initialsOf(name)}
    </span>
  );
}
