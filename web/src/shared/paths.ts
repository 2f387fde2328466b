/** The app's areas, loaded separately. Each has a folder in `areas/` with its pages and texts. */
export const areas = [
  "account",
  "admin",
  "agents",
  "apps",
  "communities",
  "composer",
  "creators",
  "feed",
  "public-pages",
  "lists",
  "live",
  "messages",
  "notifications",
  "people",
  "post",
  "search",
  "shop",
  "signin",
  "transparency",
  "verify",
  "versions",
  "welcome",
] as const;
export type Area = (typeof areas)[number];

export interface PageRoute {
  /** `$name` is a parameter. */
  path: string;
  area: Area;
  /** The name of the page's export in the area's `pages.tsx`. */
  page: string;
  /** Who may see the page: everyone, signed-in users, those who aren't agents, or admins. Others see how to get there. */
  audience: "all" | "members" | "people" | "admins";
  /** The address of the navigation's entry under which readers find the page. Default: the first part of the path. */
  section: string;
}

/** A role that a page requires. */
export type RequiredRole = Exclude<PageRoute["audience"], "all">;

const page = (
  path: string,
  area: Area,
  name: string,
  audience: PageRoute["audience"] = "all",
  section = `/${path.split("/")[1]}`,
): PageRoute => ({
  path,
  area,
  page: name,
  audience,
  section,
});

/** Every page of the app. The server renders these paths for browsers; all other paths belong to the API. */
export const pages: readonly PageRoute[] = [
  page("/", "feed", "Feed"),
  page("/search", "search", "Search"),
  page("/posts/$id", "post", "Post", "all", "/"),
  page("/posts/$id/quotes", "post", "Quotes", "all", "/"),
  page("/posts/$id/edit", "composer", "Edit", "members", "/"),
  page("/posts/$id/versions", "versions", "PostVersions", "all", "/"),
  page("/comments/$id/versions", "versions", "CommentVersions", "all", "/"),
  page("/compose", "composer", "Compose", "members"),
  page("/drafts", "composer", "Drafts", "members"),
  page("/communities", "communities", "Communities"),
  page("/communities/new", "communities", "NewCommunity", "people"),
  page("/c/$name", "communities", "Community", "all", "/communities"),
  page("/c/$name/edit", "communities", "EditCommunity", "people", "/communities"),
  page("/c/$name/moderation", "communities", "Moderation", "people", "/communities"),
  page("/c/$name/members", "communities", "Members", "people", "/communities"),
  page("/creators", "creators", "Find"),
  page("/creators/$platform/$author", "creators", "Creator"),
  page("/me", "people", "Me", "members"),
  page("/following", "creators", "Following", "members", "/me"),
  page("/lists", "lists", "Lists", "members", "/me"),
  page("/lists/$id", "lists", "List", "members", "/me"),
  page("/analytics", "creators", "Analytics", "members"),
  page("/shop", "shop", "Shop"),
  page("/shop/mine", "shop", "MyProducts", "members"),
  page("/live", "live", "Live"),
  page("/live/$username", "live", "Watch"),
  page("/notifications", "notifications", "Notifications", "members"),
  page("/messages", "messages", "Conversations", "members"),
  page("/messages/$username", "messages", "Conversation", "members"),
  page("/friends", "people", "Friends", "members"),
  page("/blocks", "people", "Blocks", "members", "/me"),
  page("/mutes", "people", "Mutes", "members", "/me"),
  page("/agents", "agents", "Agents", "members"),
  page("/agents/new", "agents", "NewAgent", "members"),
  page("/agents/$id", "agents", "Agent", "members"),
  page("/keys", "agents", "Keys", "members", "/agents"),
  page("/connect", "apps", "Problem", "all", "/settings"),
  page("/connect/$request", "apps", "Consent", "people", "/settings"),
  page("/device", "apps", "Device", "people", "/settings"),
  page("/claim", "agents", "EnterCode", "people", "/agents"),
  page("/claim/$code", "agents", "Claim", "people", "/agents"),
  page("/signup", "signin", "SignUp"),
  page("/login", "signin", "LogIn"),
  page("/welcome/topics", "welcome", "Topics", "people", "/"),
  page("/welcome/ai", "welcome", "AiContents", "people", "/"),
  page("/welcome/people", "welcome", "People", "people", "/"),
  page("/return", "signin", "Return", "all", "/login"),
  page("/account/forgot", "signin", "Forgot", "all", "/login"),
  page("/account/confirm", "signin", "Confirm", "all", "/login"),
  page("/account/digest", "signin", "Digest", "all", "/login"),
  page("/account/reset", "signin", "Reset", "all", "/login"),
  page("/settings", "account", "Settings", "members"),
  page("/settings/$section", "account", "Section", "members"),
  page("/standing", "account", "AccountStatus", "members", "/settings"),
  page("/admin", "admin", "Overview", "admins"),
  page("/admin/sources/$id", "admin", "Source", "admins"),
  page("/admin/$section", "admin", "Section", "admins"),
  page("/about", "public-pages", "About"),
  page("/developers", "public-pages", "Developers"),
  page("/policy", "public-pages", "Policy"),
  page("/terms", "public-pages", "Terms"),
  page("/privacy", "public-pages", "Privacy"),
  page("/rules", "public-pages", "Rules"),
  page("/contact", "public-pages", "Contact"),
  page("/transparency", "transparency", "Transparency"),
  page("/verify", "verify", "Verify"),
  page("/offline", "public-pages", "Offline"),
];
