import { activityQuery, agentsQuery, keysQuery, waitingQuery } from "../../data/agents.ts";
import { addTexts } from "../../i18n/texts.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { AgentPage } from "./agent-page.tsx";
import { AgentsPage } from "./agents-page.tsx";
import { KeysPage } from "./keys-page.tsx";
import { NewAgentPage } from "./new-agent.tsx";

const titled =
  (key: string) =>
  ({ i18n }: PageRequest) => ({ title: i18n._(key), unlisted: true });

export const Agents = page({
  load: ({ api, data, i18n }) =>
    Promise.all([
      // What waits is decided by the same buttons as among the drafts.
      addTexts(i18n, "composer"),
      data.ensureQueryData(agentsQuery(api)),
      data.ensureQueryData(keysQuery(api)),
      data.ensureQueryData(waitingQuery(api)),
    ]),
  head: titled("agents.title"),
  View: AgentsPage,
});

export const NewAgent = page({
  load: ({ api, data }) => data.ensureQueryData(agentsQuery(api)),
  head: titled("agents.new"),
  View: NewAgentPage,
});

export const Agent = page({
  load: ({ api, data, i18n, params }) =>
    Promise.all([
      addTexts(i18n, "composer"),
      data.ensureQueryData(agentsQuery(api)),
      data.ensureQueryData(keysQuery(api)),
      data.ensureInfiniteQueryData(activityQuery(api, Number(params.id))),
    ]),
  head: titled("agents.one"),
  View: AgentPage,
});

export const Keys = page({
  load: ({ api, data }) =>
    Promise.all([data.ensureQueryData(keysQuery(api)), data.ensureQueryData(agentsQuery(api))]),
  head: titled("agents.keys"),
  View: KeysPage,
});
