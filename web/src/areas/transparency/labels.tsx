import type { Transparency } from "@tandem/contract/transparency";

/** The labels as readers see them: imported posts that no one labelled are apart from people's. */
export const labels = ["people", "assisted", "ai", "unknown"] as const;
export type Label = (typeof labels)[number];

type Posts = Transparency["totals"]["posts"];

export function countsByLabel({ human, ai_assisted, ai_generated }: Posts): Record<Label, number> {
  return {
    people: human.declared + human.origin,
    assisted: ai_assisted.declared + ai_assisted.origin,
    ai: ai_generated.stamped + ai_generated.declared + ai_generated.origin,
    unknown: human.assumed,
  };
}

/** Each label has a pattern besides its color: plain, striped, checked, dotted. */
const patterns: Record<Label, { ground: string; mark: string; path: string }> = {
  people: { ground: "fill-person", mark: "", path: "" },
  assisted: { ground: "fill-agent-soft", mark: "stroke-agent", path: "M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6" },
  ai: { ground: "fill-agent", mark: "stroke-agent-soft/60", path: "M0 4 H8 M4 0 V8" },
  unknown: { ground: "fill-line", mark: "stroke-edge", path: "M2 2 h1.5 M6 6 h1.5" },
};

const idOf = (label: Label) => `transparency-${label}`;
export const fillOf = (label: Label) => `url(#${idOf(label)})`;

/** The patterns that the page's charts refer to. */
export function Patterns() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <defs>
        {labels.map((label) => {
          const { ground, mark, path } = patterns[label];
          return (
            <pattern key={label} id={idOf(label)} width="8" height="8" patternUnits="userSpaceOnUse">
              <rect width="8" height="8" className={ground} />
              {path && <path d={path} className={mark} strokeWidth="1.5" strokeLinecap="square" />}
            </pattern>
          );
        })}
      </defs>
    </svg>
  );
}

export function Swatch({ label }: { label: Label }) {
  return (
    <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true">
      <rect
        x="0.5"
        y="0.5"
        width="15"
        height="15"
        rx={label === "people" ? 7.5 : 3}
        fill={fillOf(label)}
        className="stroke-edge"
      />
    </svg>
  );
}
