import { useText } from "../../i18n/use-text.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Count } from "../../ui/time.tsx";

const Drawing = lazyComponent(() => import("../../ui/drawings.tsx"));

const tones = {
  person: { fill: "fill-person", box: "bg-person" },
  both: { fill: "fill-agent/50", box: "bg-agent/50" },
  agent: { fill: "fill-agent", box: "bg-agent" },
  accent: { fill: "fill-accent", box: "bg-accent" },
  danger: { fill: "fill-danger", box: "bg-danger" },
} as const;

export interface Series {
  name: string;
  tone: keyof typeof tones;
  values: readonly number[];
}

const HEIGHT = 100;
const STEP = 10;
const BAR = 7;

/** A stacked bar chart with one bar per day. Its data is also in the label and in the table below. */
export function Chart({
  title,
  labels,
  series,
}: {
  title: string;
  labels: readonly string[];
  series: readonly Series[];
}) {
  const { t } = useText();
  const sums = labels.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0));
  const top = Math.max(1, ...sums);
  const total = sums.reduce((sum, value) => sum + value, 0);
  if (total === 0)
    return (
      <section className="card-flush flex flex-col gap-3 p-4">
        <h2 className="font-semibold">{title}</h2>
        <div className="m-auto flex flex-col items-center gap-3 py-6 text-center text-soft">
          <Drawing name="chart" fallback={<div className="h-16" />} />
          <p>{t("admin.chartEmpty", { days: labels.length })}</p>
        </div>
      </section>
    );
  return (
    <figure className="card-flush flex flex-col gap-3 p-4">
      <figcaption className="flex items-baseline justify-between gap-2">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-2xl font-bold tabular-nums">
          <Count value={total} />
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${labels.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-b rtl:-scale-x-100"
        role="img"
        aria-label={t("admin.chartDescription", { title, total, top, days: labels.length })}
      >
        {labels.map((label, day) => (
          <Column key={label} day={day} label={label} series={series} top={top} />
        ))}
      </svg>
      <div className="flex justify-between text-xs text-soft">
        <span>{labels[0]}</span>
        <span>{labels.at(-1)}</span>
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {series.map(({ name, tone, values }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span
              className={`size-3 rounded-sm forced-color-adjust-none ${tones[tone].box}`}
              aria-hidden="true"
            />
            {name}
            <span className="text-soft tabular-nums">{values.reduce((sum, value) => sum + value, 0)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Column({
  day,
  label,
  series,
  top,
}: {
  day: number;
  label: string;
  series: readonly Series[];
  top: number;
}) {
  const { locale } = useText();
  let stackedHeight = 0;
  return (
    <g>
      <title>{`${label}: ${new Intl.ListFormat(locale, { type: "unit" }).format(series.map(({ name, values }) => `${name} ${values[day] ?? 0}`))}`}</title>
      {series.map(({ name, tone, values }) => {
        const height = ((values[day] ?? 0) / top) * HEIGHT;
        stackedHeight += height;
        return (
          <rect
            key={name}
            x={day * STEP + (STEP - BAR) / 2}
            y={HEIGHT - stackedHeight}
            width={BAR}
            height={height}
            className={tones[tone].fill}
          />
        );
      })}
    </g>
  );
}
