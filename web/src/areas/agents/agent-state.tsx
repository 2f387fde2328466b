import type { Agent, Key } from "@tandem/contract/resources";
import { useText } from "../../i18n/use-text.tsx";
import { useNow } from "../../ui/time.tsx";
import { Chip } from "./chip.tsx";

/** Whether an agent runs. Without a key that is valid, its programs can't call the API. `keys` is undefined until they are known. */
export function AgentState({ agent, keys }: { agent: Agent; keys: readonly Key[] | undefined }) {
  const { t } = useText();
  const now = useNow();
  const isValid = ({ expiresAt }: Key) => expiresAt === null || Date.parse(expiresAt) > now;
  if (agent.paused) return <Chip tone="warn">{t("agents.paused")}</Chip>;
  if (keys && !keys.some(isValid)) return <Chip>{t("agents.noKey")}</Chip>;
  return <Chip tone="good">{t("agents.running")}</Chip>;
}
