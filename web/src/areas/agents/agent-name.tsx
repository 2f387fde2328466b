import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../data/agents.ts";
import { useMe } from "../../data/me.ts";
import { useApi } from "../../shared/context.ts";
import { LocalName } from "../../ui/local-name.tsx";

/** Display name and @handle of one of the reader's agents, or of the reader, whose keys act for them. */
export function AgentName({ username, className = "" }: { username: string; className?: string }) {
  const me = useMe();
  const { data: agents = [] } = useQuery(agentsQuery(useApi()));
  const account = me?.username === username ? me : agents.find((agent) => agent.username === username);
  return (
    <span className={`inline-flex min-w-0 ${className}`}>
      <LocalName username={username} displayName={account?.displayName} />
    </span>
  );
}
