import { webhooksQuery } from "../../data/account.ts";
import {
  activityQuery,
  agentRequestQuery,
  agentsQuery,
  keysQuery,
  pendingDraftsQuery,
} from "../../data/agents.ts";
import { addTexts } from "../../i18n/texts.ts";
import type { AppContext } from "../../shared/context.ts";
import { NotFound, type PageRequest, page } from "../../shared/page.ts";
import { AgentPage } from "./agent-page.tsx";
import { AgentsPage } from "./agents-page.tsx";
import { ClaimPage } from "./claim-page.tsx";
import { EnterCodePage } from "./enter-code.tsx";
import { KeysPage } from "./keys-page.tsx";
import { NewAgentPage } from "./new-agent.tsx";

const privateHead =
  (key: string) =>
  ({ i18n }: PageRequest) => ({ title: i18n._(key), unlisted: true });

/** What agents are, and how to get one. */
const logIn = ({ i18n }: AppContext) => ({
  title: i18n._("agents.logIn"),
  description: i18n._("agents.logInDescription"),
  links: [
    { to: "/policy", label: i18n._("nav.policy") },
    { to: "/developers", label: i18n._("nav.developers") },
  ],
});

export const Agents = page({
  load: ({ api, queryClient, i18n }) =>
    Promise.all([
      // Pending drafts use the composer's buttons.
      addTexts(i18n, "composer"),
      queryClient.ensureQueryData(agentsQuery(api)),
      queryClient.ensureQueryData(keysQuery(api)),
      queryClient.ensureQueryData(pendingDraftsQuery(api)),
    ]),
  head: privateHead("agents.title"),
  logIn,
  View: AgentsPage,
});

export const NewAgent = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(agentsQuery(api)),
  head: privateHead("agents.new"),
  logIn,
  View: NewAgentPage,
});

export const Agent = page({
  load: async ({ api, queryClient, i18n, params }) => {
    const agents = await queryClient.ensureQueryData(agentsQuery(api));
    const agent = agents.find(({ id }) => String(id) === params.id);
    if (!agent) throw new NotFound();
    await Promise.all([
      addTexts(i18n, "composer"),
      queryClient.ensureQueryData(keysQuery(api)),
      queryClient.ensureQueryData(webhooksQuery(api)),
      queryClient.ensureInfiniteQueryData(activityQuery(api, agent.id)),
    ]);
  },
  head: privateHead("agents.agent"),
  View: AgentPage,
});

export const Keys = page({
  load: ({ api, queryClient }) =>
    Promise.all([queryClient.ensureQueryData(keysQuery(api)), queryClient.ensureQueryData(agentsQuery(api))]),
  head: privateHead("agents.keys"),
  View: KeysPage,
});

export const EnterCode = page({ head: privateHead("agents.enterCode"), View: EnterCodePage });

export const Claim = page({
  load: ({ api, queryClient, params }) =>
    queryClient.ensureQueryData(agentRequestQuery(api, params.code ?? "")),
  head: (request) => {
    const { api, queryClient, params } = request;
    const found = queryClient.getQueryData(agentRequestQuery(api, params.code ?? "").queryKey);
    return privateHead(found ? "agents.claim" : "agents.claimGone")(request);
  },
  View: ClaimPage,
});
