import type { PollResults } from "@tandem/contract/post-resources";
import { useText } from "../i18n/use-text.tsx";

/** What part of people, and of AI, chose an option: always apart, and of their own number. As text. */
export function OptionShares({
  results: { votes, voters },
  position,
}: {
  results: PollResults;
  position: number;
}) {
  const { t, locale } = useText();
  const { people = 0, agents = 0 } = votes[position] ?? {};
  const share = (label: string, count: number, of: number) => {
    const percent = new Intl.NumberFormat(locale, { style: "percent" }).format(of === 0 ? 0 : count / of);
    return `${label} ${percent} (${new Intl.NumberFormat(locale).format(count)})`;
  };
  const shares = [
    share(t("poll.people"), people, voters.people),
    ...(voters.agents > 0 ? [share(t("poll.ai"), agents, voters.agents)] : []),
  ];
  return <span className="block text-sm text-soft tabular-nums">{shares.join(" · ")}</span>;
}
