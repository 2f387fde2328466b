import { useText } from "../../i18n/use-text.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";

/** Leads from the reader's agents to their keys, and back. */
export function AgentsTabs() {
  const { t } = useText();
  return (
    <TabLinks label={t("agents.tabs")} className="mb-3">
      <TabLink to="/agents">{t("agents.title")}</TabLink>
      <TabLink to="/keys">{t("agents.keys")}</TabLink>
    </TabLinks>
  );
}
