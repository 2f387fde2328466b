import type { SourceVisit } from "@tandem/contract/source-visits";
import { useText } from "../../i18n/use-text.tsx";
import { Time } from "../../ui/time.tsx";

const counts = ["added", "changed", "withdrawn", "leftOut"] as const;

/** The last visits. On a phone, the counts are in one column with the result. */
export function VisitTable({ visits }: { visits: readonly SourceVisit[] }) {
  const { t } = useText();
  return (
    <table className="w-full text-sm">
      <thead className="text-soft">
        <tr className="border-b">
          <th scope="col" className="px-4 py-2 text-start font-semibold">
            {t("admin.visit.when")}
          </th>
          <th scope="col" className="w-full py-2 pe-4 text-start font-semibold">
            {t("admin.visit.result")}
          </th>
          {counts.map((name) => (
            <th
              key={name}
              scope="col"
              className="px-2 py-2 text-end font-semibold whitespace-nowrap max-sm:hidden"
            >
              {t(`admin.visit.${name}`)}
            </th>
          ))}
          <th scope="col" className="px-4 py-2 text-end whitespace-nowrap font-semibold max-sm:hidden">
            {t("admin.visit.cost")}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {visits.map((visit) => (
          <VisitRow key={visit.number} visit={visit} />
        ))}
      </tbody>
    </table>
  );
}

function VisitRow({ visit }: { visit: SourceVisit }) {
  const { t, locale } = useText();
  const { startedAt, outcome, error, durationMs, bytes, added, changed, withdrawn, skipped } = visit;
  const leftOut = skipped.reduce((sum, { count }) => sum + count, 0);
  const values = { added, changed, withdrawn, leftOut };
  const isRead = outcome === "imported" || outcome === "unchanged";
  const unit = (amount: number, name: string) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: amount < 10 ? 1 : 0,
    }).format(amount);
  const size = bytes === 0 ? null : unit(bytes / 1000, "kilobyte");
  return (
    <tr className="align-top">
      <td className="px-4 py-2.5">
        <Time at={startedAt} />
      </td>
      <td className="py-2.5 pe-4">
        <p
          className={
            outcome === "failed" ? "font-semibold text-danger" : outcome === "imported" ? "" : "text-soft"
          }
        >
          {t(`admin.visit.outcome.${outcome}`)}
        </p>
        {error && <p className="theirs break-words text-soft">{error}</p>}
        {isRead && (
          <p className="text-soft empty:hidden sm:hidden">
            {counts
              .filter((name) => values[name] > 0)
              .map((name) => t(`admin.visit.${name}Count`, { count: values[name] }))
              .join(" · ")}
          </p>
        )}
      </td>
      {counts.map((name) => (
        <td
          key={name}
          className={`px-2 py-2.5 text-end tabular-nums max-sm:hidden ${values[name] > 0 ? "" : "text-soft"}`}
        >
          {isRead && values[name]}
        </td>
      ))}
      <td className="px-4 py-2.5 text-end whitespace-nowrap text-soft tabular-nums max-sm:hidden">
        {outcome !== "postponed" && [size, unit(durationMs / 1000, "second")].filter(Boolean).join(" · ")}
      </td>
    </tr>
  );
}
