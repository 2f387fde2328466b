import { transparencyQuery } from "../../data/transparency.ts";
import { page } from "../../shared/page.ts";
import { daysFrom } from "./periods.ts";
import { TransparencyView } from "./transparency.tsx";

export const Transparency = page({
  load: ({ api, queryClient, search }) =>
    queryClient.ensureQueryData(transparencyQuery(api, daysFrom(search))),
  head: ({ i18n }) => ({
    title: i18n._("transparency.title"),
    description: i18n._("transparency.lead"),
    canonical: "/transparency",
  }),
  View: TransparencyView,
});
