import type { ReactNode } from "react";

const tones = {
  plain: "bg-sunken text-soft",
  good: "bg-accent-soft text-accent",
  warn: "bg-danger-soft text-danger",
} as const;

/** A small label. */
export function Chip({ tone = "plain", children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span className={`rounded-full px-2.5 py-0.5 text-xs font-semibold ${tones[tone]}`}>{children}</span>
  );
}
