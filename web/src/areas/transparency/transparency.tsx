import { routes } from "@tandem/contract/routes";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { transparencyQuery } from "../../data/transparency.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { LabelShares, LabelsOverTime } from "./label-charts.tsx";
import { Patterns } from "./labels.tsx";
import { Appeals, CommunityRemovals, Operators, Removals } from "./moderation.tsx";
import { daysFrom, periods } from "./periods.ts";
import { BasisTable, DaysTable } from "./tables.tsx";

const inlineLink = "font-semibold text-accent underline underline-offset-4";

/** How content is labelled, what moderators did, and who runs agents. */
export function TransparencyView() {
  const { t, locale } = useText();
  const chosen = daysFrom(useSearch());
  const { data } = useQuery(transparencyQuery(useApi(), chosen));
  return (
    <article className="column flex max-w-3xl flex-col gap-10 px-4 pt-6 pb-10 sm:px-0 sm:pt-10">
      <header className="flex flex-col gap-4">
        <h1 className="text-3xl font-extrabold tracking-tight sm:text-4xl">{t("transparency.title")}</h1>
        <p className="text-lg text-soft">{t("transparency.lead")}</p>
        <nav aria-label={t("transparency.period")} className="flex flex-wrap gap-2">
          {periods.map(({ days }) => (
            <Link
              key={days}
              to="/transparency"
              search={days === periods[0].days ? {} : { days: String(days) }}
              {...(days === chosen && { "aria-current": "page" as const })}
              className="rounded-full border px-4 py-2 text-sm font-semibold hover:bg-sunken aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            >
              {t("transparency.lastDays", { days })}
            </Link>
          ))}
        </nav>
      </header>
      {data ? (
        <>
          <Patterns />
          <Section id="labels" title={t("transparency.labels")} lead={t("transparency.labelsLead")}>
            <div className="card flex flex-col gap-8 p-4 sm:p-6">
              <LabelShares posts={data.totals.posts} />
              <LabelsOverTime days={data.days} />
            </div>
            <DaysTable days={data.days} />
            <h3 className="pt-2 text-lg font-bold">{t("transparency.whoSaysSo")}</h3>
            <BasisTable posts={data.totals.posts} />
            <p className="text-soft">
              {t("transparency.comments", {
                people: data.totals.comments.people,
                ai: data.totals.comments.ai,
              })}
            </p>
          </Section>
          <Section
            id="moderation"
            title={t("transparency.moderation")}
            lead={t("transparency.moderationLead")}
          >
            <Removals removals={data.totals.removals} />
            <h3 className="pt-2 text-lg font-bold">{t("transparency.inCommunities")}</h3>
            <CommunityRemovals communityRemovals={data.totals.communityRemovals} />
            <h3 className="pt-2 text-lg font-bold">{t("transparency.appeals")}</h3>
            <Appeals appeals={data.totals.appeals} />
          </Section>
          <Section
            id="agents"
            title={t("transparency.agents")}
            lead={t("transparency.agentsLead", {
              total: data.agents.total,
              operators: data.agents.operators,
            })}
          >
            <Operators byAgents={data.agents.byAgents} />
            {data.agents.countedAt && (
              <p className="text-sm text-soft">
                {t("transparency.counted")} <Time at={data.agents.countedAt} />
              </p>
            )}
          </Section>
          {data.log && (
            <Section id="log" title={t("transparency.log")} lead={t("transparency.logLead")}>
              <dl className="card grid gap-x-4 gap-y-2 p-4 text-sm sm:grid-cols-[auto_1fr]">
                <dt className="text-soft">{t("transparency.logOrigin")}</dt>
                <dd className="font-mono wrap-anywhere">{data.log.origin}</dd>
                <dt className="text-soft">{t("transparency.logSize")}</dt>
                <dd className="tabular-nums">{data.log.size.toLocaleString(locale)}</dd>
                <dt className="text-soft">{t("transparency.logRoot")}</dt>
                <dd className="font-mono wrap-anywhere">{data.log.rootHash}</dd>
                <dt className="text-soft">{t("transparency.logTime")}</dt>
                <dd>
                  <Time at={data.log.time} />
                </dd>
              </dl>
            </Section>
          )}
          <p className="border-t pt-6 text-soft">
            <RichText
              text="transparency.more"
              parts={{
                json: (
                  // Of the API, not a page of the app.
                  <a href={`${routes.readTransparency.path}?days=${chosen}`} className={inlineLink}>
                    {" "}
                  </a>
                ),
                policy: <Link to="/policy" className={inlineLink} />,
              }}
            />
          </p>
        </>
      ) : (
        <SkeletonCards />
      )}
    </article>
  );
}

function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <h2 id={id} className="scroll-mt-4 text-xl font-bold sm:text-2xl">
          {title}
        </h2>
        <p className="text-soft">{lead}</p>
      </div>
      {children}
    </section>
  );
}
