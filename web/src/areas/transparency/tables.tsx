import { basesOf, provenanceBases, provenances } from "@tandem/contract/provenance";
import type { Transparency, TransparencyDay } from "@tandem/contract/transparency";
import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { countsByLabel, labels } from "./labels.tsx";

const cell = "px-3 py-2.5 text-end tabular-nums";
const head = "px-3 py-2.5 text-end text-sm font-semibold text-soft";

/** Who says so: each label by its basis. */
export function BasisTable({ posts }: { posts: Transparency["totals"]["posts"] }) {
  const { t, locale } = useText();
  return (
    <ScrollRegion label={t("transparency.whoSaysSo")} className="overflow-x-auto rounded-card border">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b bg-sunken/60">
            <th scope="col" className={`${head} text-start`}>
              {t("transparency.label")}
            </th>
            {provenanceBases.map((basis) => (
              <th key={basis} scope="col" className={head}>
                {t(`transparency.basis.${basis}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {provenances.map((provenance) => (
            <tr key={provenance}>
              <th scope="row" className="px-3 py-2.5 text-start font-semibold">
                {t(`provenance.${provenance}`)}
              </th>
              {provenanceBases.map((basis) => (
                <td key={basis} className={cell}>
                  {isPossible(provenance, basis) ? (
                    (posts[provenance] as Record<string, number>)[basis]?.toLocaleString(locale)
                  ) : (
                    <>
                      <span className="text-soft" aria-hidden="true">
                        –
                      </span>
                      <span className="sr-only">{t("transparency.impossible")}</span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Focusable, so that the keyboard can scroll it. */
function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable
    <section aria-label={label} tabIndex={0} className={`relative ${className}`}>
      {children}
    </section>
  );
}

function isPossible(provenance: (typeof provenances)[number], basis: string): boolean {
  return (basesOf[provenance] as readonly string[]).includes(basis);
}

/** All numbers by day, the latest first: what the charts show, for screen readers and for copying. */
export function DaysTable({ days }: { days: readonly TransparencyDay[] }) {
  const { t, locale } = useText();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const columns = [...labels.map((label) => t(`transparency.label.${label}`)), t("transparency.removed")];
  return (
    <details className="card overflow-hidden">
      <summary className="px-4 py-3 font-semibold">{t("transparency.asTable")}</summary>
      <ScrollRegion label={t("transparency.asTable")} className="max-h-96 overflow-auto border-t">
        <table className="w-full text-sm">
          <thead className="sticky top-0 bg-surface">
            <tr className="border-b">
              <th scope="col" className={`${head} text-start`}>
                {t("transparency.day")}
              </th>
              {columns.map((name) => (
                <th key={name} scope="col" className={head}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {days.toReversed().map(({ day, posts, removals }) => {
              const counts = countsByLabel(posts);
              return (
                <tr key={day}>
                  <th scope="row" className="px-3 py-2 text-start font-normal whitespace-nowrap">
                    {date.format(Date.parse(day))}
                  </th>
                  {labels.map((label) => (
                    <td key={label} className={cell}>
                      {counts[label].toLocaleString(locale)}
                    </td>
                  ))}
                  <td className={cell}>
                    {(removals.posts + removals.comments + removals.pictures).toLocaleString(locale)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}
