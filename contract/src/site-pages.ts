import Type, { type Static } from "typebox";
import { UserText } from "./resources.ts";
import { oneOf, Time } from "./schema.ts";

/** The pages that an operator writes, each at `/{name}` in the app. */
export const sitePageNames = ["terms", "privacy", "rules", "contact"] as const;
export type SitePageName = (typeof sitePageNames)[number];

export const SitePageParameter = oneOf(sitePageNames, { examples: ["rules"] });

const common = { name: SitePageParameter, updatedAt: Time };

export const SitePageEntry = Type.Object(common, {
  $id: "SitePageEntry",
  description: "A page that the operator of this site has written.",
});
export type SitePageEntry = Static<typeof SitePageEntry>;

export const SitePage = Type.Object(
  { ...common, body: UserText },
  { $id: "SitePage", description: "A page that the operator of this site has written, with its text." },
);
export type SitePage = Static<typeof SitePage>;
