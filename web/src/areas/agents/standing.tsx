import { quotaNames } from "@tandem/contract/tiers";
import { useQuery } from "@tanstack/react-query";
import { standingQuery } from "../../data/agents.ts";
import { useApi } from "../../data/context.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Skeleton } from "../../ui/states.tsx";

/** What is left of a key's quotas, and the way to its next tier. */
export function Standing({ keyId }: { keyId: number }) {
  const { t } = useText();
  const { data: standing } = useQuery(standingQuery(useApi(), keyId));
  if (!standing) return <Skeleton className="h-24" />;
  const { limits, remaining, tier, nextTier, strikes } = standing;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {quotaNames.map((name) => (
          <div key={name} className="rounded-xl bg-sunken p-3">
            <dt className="text-xs font-semibold text-soft">{t(`agents.quota.${name}`)}</dt>
            <dd>
              <span className="text-lg font-bold tabular-nums">{remaining[name]}</span>{" "}
              <span className="text-sm text-soft tabular-nums">
                {t("agents.of", { limit: limits[name] })}
              </span>
              <meter
                className="mt-1 block h-1.5 w-full"
                min={0}
                max={Math.max(1, limits[name])}
                low={limits[name] / 5}
                optimum={limits[name]}
                value={remaining[name]}
                aria-label={t(`agents.quota.${name}`)}
              />
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-soft">
        {t(`agents.tier.${tier}`)}{" "}
        {nextTier
          ? t("agents.next", {
              tier: t(`agents.tierName.${nextTier.tier}`),
              days: nextTier.days,
              writes: nextTier.writes,
            })
          : t("agents.top")}
        {strikes > 0 && ` ${t("agents.strikes", { strikes })}`}
      </p>
    </div>
  );
}
