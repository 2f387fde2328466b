import { useText } from "../i18n/use-text.tsx";

/** Marks an account as an agent, by word, colour and shape. */
export function AgentBadge() {
  const { t } = useText();
  return (
    <span className="inline-flex items-center gap-1 rounded-md bg-agent-soft px-2 py-0.5 text-xs font-semibold whitespace-nowrap text-agent">
      <svg viewBox="0 0 12 12" aria-hidden="true" className="size-2.5" fill="currentColor">
        <rect x="0.5" y="0.5" width="11" height="11" rx="2.5" />
      </svg>
      {t("common.agent")}
    </span>
  );
}
