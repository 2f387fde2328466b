import type { Transparency, TransparencyDay } from "@tandem/contract/transparency";
import { useText } from "../../i18n/use-text.tsx";
import { countsByLabel, fillOf, type Label, labels, Swatch } from "./labels.tsx";
import { barsOf } from "./periods.ts";

const WIDTH = 720;

/** What share of all posts each label has: one bar, and the numbers below it. */
export function LabelShares({ posts }: { posts: Transparency["totals"]["posts"] }) {
  const { t, locale } = useText();
  const counts = countsByLabel(posts);
  const total = labels.reduce((sum, label) => sum + counts[label], 0);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const widths = labels.map((label) => (total === 0 ? 0 : (counts[label] / total) * WIDTH));
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm font-semibold">{t("transparency.total", { total })}</p>
      <svg
        viewBox={`0 0 ${WIDTH} 36`}
        preserveAspectRatio="none"
        className="h-9 w-full overflow-hidden rounded-lg bg-sunken rtl:-scale-x-100"
        aria-hidden="true"
      >
        {labels.map((label, i) => (
          <rect
            key={label}
            x={widths.slice(0, i).reduce((sum, width) => sum + width, 0)}
            width={widths[i]}
            height="36"
            fill={fillOf(label)}
            className="stroke-surface"
            strokeWidth="2"
          />
        ))}
      </svg>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-4">
        {labels.map((label) => (
          <div key={label} className="flex flex-col gap-1">
            <dt className="flex items-center gap-2 text-sm font-semibold">
              <Swatch label={label} />
              {t(`transparency.label.${label}`)}
            </dt>
            <dd className="flex flex-col">
              <span className="text-2xl font-bold tabular-nums sm:text-3xl">
                {counts[label].toLocaleString(locale)}
              </span>
              <span className="text-sm text-soft tabular-nums">
                {percent.format(total === 0 ? 0 : counts[label] / total)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const HEIGHT = 200;

/** Posts over time, stacked by label. The table of days has the same numbers. */
export function LabelsOverTime({ days }: { days: readonly TransparencyDay[] }) {
  const { t, locale } = useText();
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const dateOf = (day: string | undefined) => (day ? date.format(Date.parse(day)) : "");
  const bars = barsOf(days).map((group) => ({
    from: group[0]?.day,
    to: group.at(-1)?.day,
    counts: sumsOf(group),
  }));
  const sums = bars.map(({ counts }) => labels.reduce((sum, label) => sum + counts[label], 0));
  const top = roundUp(Math.max(1, ...sums));
  const step = WIDTH / bars.length;
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="text-sm font-semibold">
        {t(days.length === bars.length ? "transparency.perDay" : "transparency.overTime")}
      </figcaption>
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <div
          className="flex flex-col justify-between text-end text-xs text-soft tabular-nums"
          aria-hidden="true"
        >
          <span>{top.toLocaleString(locale)}</span>
          <span>{(top / 2).toLocaleString(locale)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-44 w-full sm:h-56 rtl:-scale-x-100"
          role="img"
          aria-label={t("transparency.chartLabel", { bars: bars.length, top: Math.max(0, ...sums) })}
        >
          {[0.5, HEIGHT / 2, HEIGHT - 0.5].map((y) => (
            <line key={y} x1="0" x2={WIDTH} y1={y} y2={y} className="stroke-line" />
          ))}
          {bars.map(({ from, to, counts }, i) => (
            <Bar key={from} x={i * step} width={step} counts={counts} top={top}>
              {`${from === to ? dateOf(from) : `${dateOf(from)} – ${dateOf(to)}`}: ${new Intl.ListFormat(
                locale,
                { type: "unit" },
              ).format(
                labels.map(
                  (label) => `${t(`transparency.label.${label}`)} ${counts[label].toLocaleString(locale)}`,
                ),
              )}`}
            </Bar>
          ))}
        </svg>
        <div className="col-start-2 mt-1 flex justify-between text-xs text-soft">
          <span>{dateOf(days[0]?.day)}</span>
          <span>{dateOf(days.at(-1)?.day)}</span>
        </div>
      </div>
    </figure>
  );
}

function Bar({
  x,
  width,
  counts,
  top,
  children,
}: {
  x: number;
  width: number;
  counts: Record<Label, number>;
  top: number;
  /** The tooltip. */
  children: string;
}) {
  const gap = Math.min(4, width / 5);
  let height = 0;
  return (
    <g className="hover:opacity-75">
      <title>{children}</title>
      <rect x={x} width={width} height={HEIGHT} fill="transparent" />
      {labels.map((label) => {
        const own = (counts[label] / top) * HEIGHT;
        height += own;
        return (
          <rect
            key={label}
            x={x + gap / 2}
            y={HEIGHT - height}
            width={width - gap}
            height={own}
            fill={fillOf(label)}
          />
        );
      })}
    </g>
  );
}

function sumsOf(days: readonly TransparencyDay[]): Record<Label, number> {
  const sums = { people: 0, assisted: 0, ai: 0, unknown: 0 };
  for (const { posts } of days) {
    const counts = countsByLabel(posts);
    for (const label of labels) sums[label] += counts[label];
  }
  return sums;
}

/** The next number with one significant digit that is even, so that its half is a whole number. */
function roundUp(value: number): number {
  const unit = 2 * 10 ** Math.max(0, Math.floor(Math.log10(value)) - (value < 10 ? 0 : 1));
  return Math.ceil(value / unit) * unit;
}
