import type { Agent } from "@tandem/contract/resources";
import { useText } from "../../i18n/use-text.tsx";
import { Chip } from "./chip.tsx";

/** Whether an agent runs. Without a key, its programs can't call the API. */
export function AgentState({ agent: { paused }, hasKey }: { agent: Agent; hasKey: boolean }) {
  const { t } = useText();
  if (paused) return <Chip tone="warn">{t("agents.paused")}</Chip>;
  if (!hasKey) return <Chip>{t("agents.noKey")}</Chip>;
  return <Chip tone="good">{t("agents.running")}</Chip>;
}
