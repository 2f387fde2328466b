import { isMet, type Line } from "./print.ts";

const ROW = 26;
const LEFT = 250;
const WIDTH = 420;

/** A bar for each line with a goal: how much of the goal is reached, with a mark where it is. Readable on light and dark pages. */
export function drawChart(lines: Line[]): string {
  const bars = lines.filter(({ goal, value }) => goal && value);
  const height = bars.length * ROW + 40;
  const scale = WIDTH / 1.5;
  const mark = LEFT + scale;
  const drawn = bars.map((line, i) => {
    const { value, goal, name } = line;
    if (!value || !goal) return "";
    const share = goal.least ? value.figure / goal.figure : goal.figure / value.figure;
    const y = 30 + i * ROW;
    const unit = value.unit === "ratio" ? "" : ` ${value.unit}`;
    const digits = value.unit === "MiB" ? 0 : 2;
    const text = `${value.figure.toFixed(digits)}${unit} (${goal.least ? "≥" : "≤"} ${goal.figure})`;
    return [
      `<text x="${LEFT - 8}" y="${y + 14}" text-anchor="end">${name}</text>`,
      `<rect class="${isMet(line) ? "met" : "missed"}" x="${LEFT}" y="${y}" width="${(Math.min(share, 1.5) * scale).toFixed(1)}" height="18" rx="2"/>`,
      `<text x="${LEFT + WIDTH + 8}" y="${y + 14}">${text}</text>`,
    ].join("\n  ");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 190} ${height}" role="img" aria-label="How much of each goal is reached">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328 }
    .met { fill: #1a7f37 } .missed { fill: #bc6c25 } line { stroke: #1f2328 }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .met { fill: #3fb950 } .missed { fill: #d29922 } line { stroke: #e6edf3 } }
  </style>
  ${drawn.join("\n  ")}
  <line x1="${mark}" x2="${mark}" y1="24" y2="${height - 8}" stroke-dasharray="3 3"/>
  <text x="${mark}" y="16" text-anchor="middle">goal</text>
</svg>
`;
}
