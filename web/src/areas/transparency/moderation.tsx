import type { Transparency } from "@tandem/contract/transparency";
import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Count } from "../../ui/time.tsx";

type Totals = Transparency["totals"];

const removalNames = [
  "posts",
  "comments",
  "pictures",
  "communities",
  "suspensions",
  "held",
  "undone",
] as const;
const communityRemovalNames = ["posts", "comments", "bans", "undone"] as const;

/** What moderators did. */
export function Removals({ removals }: Pick<Totals, "removals">) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {removalNames.map((name) => (
        <Figure key={name} label={`transparency.removals.${name}`} value={removals[name]} />
      ))}
    </dl>
  );
}

/** What moderators of communities did in them. */
export function CommunityRemovals({ communityRemovals }: Pick<Totals, "communityRemovals">) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {communityRemovalNames.map((name) => (
        <Figure key={name} label={`transparency.removals.${name}`} value={communityRemovals[name]} />
      ))}
    </dl>
  );
}

function Figure({ label, value }: { label: TextKey; value: number }) {
  const { t } = useText();
  return (
    <div className="card flex flex-col-reverse justify-end p-4 max-sm:last:odd:col-span-2">
      <dt className="text-sm text-soft">{t(label)}</dt>
      <dd className="text-2xl font-bold tabular-nums sm:text-3xl">
        <Count value={value} />
      </dd>
    </div>
  );
}

/** How appeals ended. Those of earlier decisions may be among them, so that the open ones can't be derived. */
export function Appeals({ appeals }: Pick<Totals, "appeals">) {
  const { t, locale } = useText();
  const most = Math.max(1, appeals.filed, appeals.accepted, appeals.rejected);
  return (
    <dl className="flex flex-col gap-3">
      {(["filed", "accepted", "rejected"] as const).map((name) => (
        <Row
          key={name}
          name={t(`transparency.appeals.${name}`)}
          value={appeals[name].toLocaleString(locale)}
          share={appeals[name] / most}
        />
      ))}
    </dl>
  );
}

/** How many people have how many agents. */
export function Operators({ byAgents }: Pick<Transparency["agents"], "byAgents">) {
  const { t, locale } = useText();
  const most = Math.max(1, ...byAgents.map(({ operators }) => operators));
  return (
    <dl className="flex flex-col gap-3">
      {byAgents.map(({ agents, operators }) => (
        <Row
          key={agents}
          name={t("transparency.agentsEach", { agents })}
          value={operators.toLocaleString(locale)}
          share={operators / most}
        />
      ))}
    </dl>
  );
}

/** A name, a bar, which screen readers skip, and a number. */
function Row({ name, value, share }: { name: string; value: string; share: number }) {
  return (
    <div className="grid grid-cols-[8rem_1fr_3rem] items-center gap-3 sm:grid-cols-[11rem_1fr_4rem]">
      <dt className="text-sm">{name}</dt>
      <dd className="contents">
        <svg className="h-3 w-full overflow-hidden rounded-full rtl:-scale-x-100" aria-hidden="true">
          <rect width="100%" height="12" className="fill-sunken" />
          <rect width={`${share * 100}%`} height="12" rx="6" className="fill-accent" />
        </svg>
        <span className="text-end font-semibold tabular-nums">{value}</span>
      </dd>
    </div>
  );
}
