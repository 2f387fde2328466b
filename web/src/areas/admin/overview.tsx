import { type DayCount, dayCounts } from "@tandem/contract/moderation-names";
import { useQuery } from "@tanstack/react-query";
import { statisticsQuery } from "../../data/admin.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Skeleton } from "../../ui/states.tsx";
import { Chart, type Series } from "./chart.tsx";
import { AdminPage } from "./layout.tsx";
import { DAYS } from "./sections.ts";

const charts: { title: TextKey; counts: [DayCount, Series["tone"]][] }[] = [
  {
    title: "admin.chart.posts",
    counts: [
      ["postsByPeople", "person"],
      ["postsWithAi", "both"],
      ["postsByAi", "agent"],
    ],
  },
  {
    title: "admin.chart.comments",
    counts: [
      ["commentsByPeople", "person"],
      ["commentsByAi", "agent"],
    ],
  },
  {
    title: "admin.chart.accounts",
    counts: [
      ["signUps", "person"],
      ["agents", "agent"],
    ],
  },
  { title: "admin.chart.likes", counts: [["likes", "accent"]] },
  {
    title: "admin.chart.moderation",
    counts: [
      ["reports", "danger"],
      ["decisions", "accent"],
    ],
  },
];

/** Daily statistics. */
export function OverviewPage() {
  const { t, locale } = useText();
  const { data: days } = useQuery(statisticsQuery(useApi(), DAYS));
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  if (!days)
    return (
      <AdminPage section="overview">
        <Skeleton className="h-64" />
      </AdminPage>
    );
  const labels = days.map((entry) => day.format(Date.parse(entry.day)));
  return (
    <AdminPage section="overview">
      <div className="grid gap-4 sm:grid-cols-2">
        {charts.map(({ title, counts }) => (
          <Chart
            key={title}
            title={t(title)}
            labels={labels}
            series={counts.map(([count, tone]) => ({
              name: t(`admin.count.${count}`),
              tone,
              values: days.map((entry) => entry[count]),
            }))}
          />
        ))}
      </div>
      <details className="card-flush mt-4 p-4">
        <summary className="font-semibold">{t("admin.asTable")}</summary>
        <div className="mt-3 overflow-x-auto">
          <table className="w-full text-sm tabular-nums">
            <thead>
              <tr className="text-start text-soft">
                <th scope="col" className="py-1 pe-3 text-start font-semibold">
                  {t("admin.day")}
                </th>
                {dayCounts.map((count) => (
                  <th key={count} scope="col" className="px-2 text-end font-semibold">
                    {t(`admin.count.${count}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((entry) => (
                <tr key={entry.day} className="border-t">
                  <th scope="row" className="py-1 pe-3 text-start font-normal whitespace-nowrap">
                    {day.format(Date.parse(entry.day))}
                  </th>
                  {dayCounts.map((count) => (
                    <td key={count} className="px-2 text-end">
                      {entry[count]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </AdminPage>
  );
}
