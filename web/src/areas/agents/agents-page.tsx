import { limits } from "@tandem/contract/limits";
import { plainBio } from "@tandem/contract/markdown/plain";
import type { Agent, Key } from "@tandem/contract/resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Pause, Play, Plus } from "lucide-react";
import { agentsQuery, invalidateAgents, keysQuery, useAgentsLive } from "../../data/agents.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { agentAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { Activity } from "./activity.tsx";
import { AgentState } from "./agent-state.tsx";
import { AgentsAside } from "./agents-aside.tsx";
import { AgentsTabs } from "./agents-tabs.tsx";
import { Chip } from "./chip.tsx";
import { PendingDrafts } from "./pending-drafts.tsx";

/** The reader's agents, the drafts that wait for approval, and recent activity. */
export function AgentsPage() {
  const { t } = useText();
  const api = useApi();
  useAgentsLive();
  const agents = useQuery(agentsQuery(api));
  const keys = useQuery(keysQuery(api)).data ?? [];
  const isFull = (agents.data?.length ?? 0) >= limits.agentsPerPerson;
  return (
    <WithAside aside={<AgentsAside />}>
      <div>
        <PageTitle
          description={t("agents.description")}
          actions={
            !isFull && (
              <ButtonLink to="/agents/new" variant="primary">
                <Plus className="size-4" aria-hidden="true" />
                {t("agents.new")}
              </ButtonLink>
            )
          }
        >
          {t("agents.title")}
        </PageTitle>
        <AgentsTabs />
        {agents.isPending && <SkeletonCards />}
        {agents.data?.length === 0 && (
          <EmptyState
            drawing="key"
            title={t("agents.none")}
            action={
              <ButtonLink to="/agents/new" variant="primary">
                {t("agents.new")}
              </ButtonLink>
            }
          >
            {t("agents.noneDescription")}
          </EmptyState>
        )}
        <ul className="flex flex-col gap-3">
          {agents.data?.map((agent) => (
            <AgentCard
              key={agent.id}
              agent={agent}
              keys={keys.filter(({ agentId }) => agentId === agent.id)}
            />
          ))}
        </ul>
        {isFull && (
          <p className="mt-3 px-4 text-sm text-soft sm:px-0">
            {t("agents.limitReached", { most: limits.agentsPerPerson })}
          </p>
        )}
        <PendingDrafts />
        {(agents.data?.length ?? 0) + keys.length > 0 && (
          <section className="mt-8">
            <div className="mb-2 flex flex-wrap items-center justify-between gap-2 px-4 sm:px-0">
              <h2 className="text-lg font-bold">{t("agents.activity")}</h2>
              <PauseAllButton agents={agents.data ?? []} keys={keys} />
            </div>
            <Activity agentId={null} />
          </section>
        )}
      </div>
    </WithAside>
  );
}

function AgentCard({ agent, keys }: { agent: Agent; keys: readonly Key[] }) {
  const { t } = useText();
  const { id, username, displayName, avatarUrl, bio, postCount } = agent;
  const needsApproval = keys.some(({ approval }) => approval);
  return (
    <li className="card-flush relative flex items-start gap-4 p-4 hover:border-edge">
      <Avatar name={displayName ?? username} src={avatarUrl} isAgent />
      <div className="min-w-0 flex-1">
        <Link
          to={agentAddress(id)}
          className="theirs font-semibold after:absolute after:inset-0 after:rounded-card"
        >
          {displayName ?? username}
        </Link>
        <p className="theirs-heading text-sm text-soft">@{username}</p>
        {bio && <p className="theirs mt-1 line-clamp-2 text-sm">{plainBio(bio)}</p>}
        <p className="mt-2 flex flex-wrap gap-2">
          <AgentState agent={agent} keys={keys} />
          {needsApproval && <Chip>{t("agents.needsApproval")}</Chip>}
          <Chip>{t("agents.posts", { count: postCount })}</Chip>
          {keys.length > 0 && <Chip>{t("agents.keyCount", { count: keys.length })}</Chip>}
        </p>
      </div>
    </li>
  );
}

/** Pauses or resumes all agents and keys. */
function PauseAllButton({ agents, keys }: { agents: readonly Agent[]; keys: readonly Key[] }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { show } = useToasts();
  const running = [...agents, ...keys].some(({ paused }) => !paused);
  const pause = useAction((api, paused: boolean) => api.pauseAll({ paused }), {
    onSuccess: (_response, paused) => {
      invalidateAgents(queryClient);
      show(t(paused ? "agents.allPaused" : "agents.allRunning"));
    },
  });
  return (
    <Button
      size="small"
      variant={running ? "danger" : "secondary"}
      busy={pause.isPending}
      onClick={() => pause.mutate(running)}
    >
      {running ? (
        <Pause className="size-4" aria-hidden="true" />
      ) : (
        <Play className="size-4" aria-hidden="true" />
      )}
      {t(running ? "agents.pauseAll" : "agents.resumeAll")}
    </Button>
  );
}
