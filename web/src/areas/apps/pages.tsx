import { agentsQuery } from "../../data/agents.ts";
import { authorizationRequestQuery } from "../../data/apps.ts";
import { addTexts } from "../../i18n/texts.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { ConsentView } from "./consent.tsx";
import { DeviceView } from "./device.tsx";
import { ProblemView } from "./problem.tsx";

const privateHead =
  (key: string) =>
  ({ i18n }: PageRequest) => ({ title: i18n._(key), unlisted: true });

export const Consent = page({
  load: ({ api, queryClient, i18n, params }) =>
    Promise.all([
      // The permissions of a key.
      addTexts(i18n, "agents"),
      queryClient.ensureQueryData(authorizationRequestQuery(api, params.request ?? "")),
      queryClient.ensureQueryData(agentsQuery(api)),
    ]),
  head: privateHead("apps.title"),
  View: ConsentView,
  logIn: ({ i18n }) => ({ title: i18n._("apps.logIn"), description: i18n._("apps.logInDescription") }),
});

export const Device = page({
  head: privateHead("apps.deviceTitle"),
  View: DeviceView,
  logIn: ({ i18n }) => ({
    title: i18n._("apps.logInDevice"),
    description: i18n._("apps.logInDeviceDescription"),
  }),
});

export const Problem = page({ head: privateHead("apps.title"), View: ProblemView });
