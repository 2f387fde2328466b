import { type Quota, quotaNames } from "@tandem/contract/tiers";
import { useQuery } from "@tanstack/react-query";
import { keyStatusQuery } from "../../data/agents.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Skeleton } from "../../ui/states.tsx";

/** The share of a limit from which the meter warns. */
const WARNING_SHARE = 0.8;

/** How much of a key's quotas its account has used, and what it needs for the next tier. */
export function KeyQuota({ keyId }: { keyId: number }) {
  const { t, locale } = useText();
  const { data: status } = useQuery(keyStatusQuery(useApi(), keyId));
  if (!status) return <Skeleton className="h-24" />;
  const { limits, remaining, tier, nextTier, strikes, strikesEndAt } = status;
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {quotaNames.map((name) => (
          <QuotaMeter key={name} name={name} limit={limits[name]} used={limits[name] - remaining[name]} />
        ))}
      </dl>
      <p className="text-sm text-soft">
        {t(`agents.tier.${tier}`)}{" "}
        {nextTier
          ? t("agents.nextTier", {
              tier: t(`agents.tierName.${nextTier.tier}`),
              days: nextTier.days,
              writes: nextTier.writes,
            })
          : t("agents.highestTier")}
        {strikesEndAt && ` ${t("agents.strikes", { strikes, date: date.format(Date.parse(strikesEndAt)) })}`}{" "}
        {t("agents.sharedLimits")}
      </p>
    </div>
  );
}

function QuotaMeter({ name, limit, used }: { name: Quota; limit: number; used: number }) {
  const { t } = useText();
  return (
    <div className="rounded-xl bg-sunken p-3">
      <dt className="hyphens-auto text-xs font-semibold wrap-anywhere text-soft">
        {t(`agents.quota.${name}`)}
      </dt>
      <dd className="text-sm text-soft tabular-nums">
        <RichText
          text="agents.usedOf"
          values={{ used, limit }}
          parts={{ n: <span className="text-lg font-bold text-ink" /> }}
        />
        {/* Repeats the numbers above, so screen readers skip it. */}
        <meter
          className="mt-1 block h-1.5 w-full"
          max={Math.max(1, limit)}
          high={limit * WARNING_SHARE}
          optimum={0}
          value={used}
          aria-hidden="true"
        />
      </dd>
    </div>
  );
}
