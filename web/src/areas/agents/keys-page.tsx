import { useQuery } from "@tanstack/react-query";
import { keysQuery } from "../../data/agents.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { Empty, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { KeyCard } from "./key-card.tsx";
import { MintKey } from "./mint-key.tsx";

/** The reader's own keys; those of agents are with the agents. */
export function KeysPage() {
  const { t } = useText();
  const keys = useQuery(keysQuery(useApi()));
  const own = keys.data?.filter(({ agentId }) => agentId === null) ?? [];
  return (
    <div className="column">
      <PageTitle says={t("agents.keysSays")} actions={<MintKey agentId={null} />}>
        {t("agents.keys")}
      </PageTitle>
      {keys.isPending && <SkeletonCards />}
      {keys.data && own.length === 0 && (
        <div className="card">
          <Empty
            title={t("agents.noKeys")}
            action={
              <Link to="/agents" className="font-semibold text-accent underline">
                {t("agents.rather")}
              </Link>
            }
          >
            {t("agents.noKeysSays")}
          </Empty>
        </div>
      )}
      <ul className="flex flex-col gap-3">
        {own.map((key) => (
          <KeyCard key={key.id} shown={key} />
        ))}
      </ul>
    </div>
  );
}
