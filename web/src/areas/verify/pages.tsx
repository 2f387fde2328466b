import { page } from "../../shared/page.ts";
import { VerifyView } from "./verify.tsx";

export const Verify = page({
  head: ({ i18n, search }) => ({
    canonical: "/verify",
    title: i18n._("verify.title"),
    description: i18n._("verify.lead"),
    unlisted: search.url !== undefined,
  }),
  View: VerifyView,
});
