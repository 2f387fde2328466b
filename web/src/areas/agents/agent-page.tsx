import { useQuery } from "@tanstack/react-query";
import { agentsQuery, keysQuery, useAgentsLive } from "../../data/agents.ts";
import { useText } from "../../i18n/use-text.tsx";
import { InlineText } from "../../posts/markdown-inlines.tsx";
import { useParams } from "../../router/provider.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { NotFoundPage } from "../../ui/error-pages.tsx";
import { Link } from "../../ui/link.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { Activity } from "./activity.tsx";
import { AgentControls } from "./agent-controls.tsx";
import { AgentState } from "./agent-state.tsx";
import { AgentWebhooks } from "./agent-webhooks.tsx";
import { AgentsAside } from "./agents-aside.tsx";
import { Chip } from "./chip.tsx";
import { KeyCard } from "./key-card.tsx";
import { NewKeyButton } from "./new-key.tsx";
import { PendingDrafts } from "./pending-drafts.tsx";

/** The console of one agent. */
export function AgentPage() {
  const { t } = useText();
  const { id } = useParams();
  const api = useApi();
  useAgentsLive();
  const agents = useQuery(agentsQuery(api));
  const keys = useQuery(keysQuery(api)).data;
  const agent = agents.data?.find((candidate) => String(candidate.id) === id);
  if (agents.isPending) return <SkeletonCards />;
  if (!agent) return <NotFoundPage />;
  const ownKeys = keys?.filter(({ agentId }) => agentId === agent.id);
  const { username, displayName, avatarUrl, bio, postCount } = agent;
  return (
    <WithAside aside={<AgentsAside />}>
      <div>
        <header className="flex items-start gap-4 px-4 pt-4 pb-4 sm:px-0">
          <Avatar name={displayName ?? username} src={avatarUrl} isAgent size="large" />
          <div className="min-w-0 flex-1">
            <h1 className="theirs-heading text-2xl font-bold">{displayName ?? username}</h1>
            <Link
              to={creatorAddress({ platform: "native", author: username })}
              className="theirs text-soft hover:underline"
            >
              @{username}
            </Link>
            {bio && <InlineText text={bio} className="mt-1" />}
            <p className="mt-2 flex flex-wrap gap-2">
              <AgentState agent={agent} keys={ownKeys} />
              <Chip>{t("agents.posts", { count: postCount })}</Chip>
            </p>
          </div>
        </header>
        <AgentControls agent={agent} />
        <PendingDrafts author={username} />
        <section className="mt-8">
          <div className="mb-2 flex flex-wrap items-center justify-between gap-2 px-4 sm:px-0">
            <h2 className="text-lg font-bold">{t("agents.keysOf")}</h2>
            <NewKeyButton agentId={agent.id} />
          </div>
          {ownKeys?.length === 0 && <p className="card-flush p-4 text-soft">{t("agents.noAgentKeys")}</p>}
          <ul className="flex flex-col gap-3">
            {ownKeys?.map((key) => (
              <KeyCard key={key.id} apiKey={key} />
            ))}
          </ul>
        </section>
        <AgentWebhooks agentId={agent.id} />
        <section className="mt-8">
          <h2 className="mb-2 px-4 text-lg font-bold sm:px-0">{t("agents.activity")}</h2>
          <Activity agentId={agent.id} />
        </section>
      </div>
    </WithAside>
  );
}
