import { useQuery } from "@tanstack/react-query";
import { keysQuery } from "../../data/agents.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Link } from "../../ui/link.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { AgentsAside } from "./agents-aside.tsx";
import { AgentsTabs } from "./agents-tabs.tsx";
import { KeyCard } from "./key-card.tsx";
import { NewKeyButton } from "./new-key.tsx";

/** The reader's own keys. Agents' keys are on the agents' pages. */
export function KeysPage() {
  const { t } = useText();
  const keys = useQuery(keysQuery(useApi()));
  const ownKeys = keys.data?.filter(({ agentId }) => agentId === null) ?? [];
  return (
    <WithAside aside={<AgentsAside />}>
      <div>
        <PageTitle description={t("agents.keysDescription")} actions={<NewKeyButton agentId={null} />}>
          {t("agents.keys")}
        </PageTitle>
        <AgentsTabs />
        {keys.isPending && <SkeletonCards />}
        {keys.data && ownKeys.length === 0 && (
          <EmptyState
            drawing="key"
            title={t("agents.noKeys")}
            action={
              <Link to="/agents" className="font-semibold text-accent underline">
                {t("agents.createAgentInstead")}
              </Link>
            }
          >
            {t("agents.noKeysDescription")}
          </EmptyState>
        )}
        <ul className="flex flex-col gap-3">
          {ownKeys.map((key) => (
            <KeyCard key={key.id} apiKey={key} heading="h2" />
          ))}
        </ul>
      </div>
    </WithAside>
  );
}
