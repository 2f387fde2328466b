import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DEMO_PASSWORD } from "@tandem/server/cli/seed/seed";
import { buildIfNeeded } from "@tandem/web/build/build";
import sharp from "sharp";
import { closeBrowsers } from "./browser.ts";
import { cookieOf } from "./callers.ts";
import { startTandem } from "./tandem.ts";
import { phone, type Visitor, visit } from "./visitor.ts";

/*
 * Takes the screenshots in README.md and docs/gallery.md: the web app with demo data, on a phone and a desktop, light and
 * dark; and those that the web app's manifest names, which browsers show when someone installs it.
 *
 *   npm run gallery [-- PAGE…]
 */

const folder = fileURLToPath(new URL("../../docs/pictures/web", import.meta.url));

/** By the picture's name. `POST` is the most commented post, `ME` who is logged in. */
const pages: Record<string, string> = {
  feed: "/",
  post: "/posts/POST",
  poll: "/posts/POLL",
  quote: "/posts/QUOTE",
  profile: "/creators/native/ME",
  search: "/search?q=bread",
  compose: "/compose",
  communities: "/communities",
  list: "/lists/LIST",
  saved: "/?saved=1",
  shop: "/shop",
  live: "/live",
  welcome: "/welcome/topics",
  notifications: "/notifications",
  messages: "/messages",
  agents: "/agents",
  "new-agent": "/agents/new",
  settings: "/settings",
  admin: "/admin",
  developers: "/developers",
  transparency: "/transparency",
};

/** The pages to take, and `manifest`; all if none is named. */
const chosen = process.argv.slice(2);

/** Where a scrollbar takes no width. */
const handheld = { ...phone, isMobile: true };

/** Those of the manifest. */
const ofManifest = [
  { file: "screenshot-wide", path: "/?sort=hot", viewport: { width: 1440, height: 900 } },
  { file: "screenshot-narrow", path: "/?sort=hot", ...handheld },
  { file: "screenshot-narrow-post", path: "/posts/POST", ...handheld },
];

const looks = [
  { name: "phone-light", ...handheld, colorScheme: "light" },
  { name: "phone-dark", ...handheld, colorScheme: "dark" },
  { name: "desk-light", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { name: "desk-dark", viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
] as const;

/** Of 100. */
const QUALITY = 80;

await buildIfNeeded();
const dataDir = await mkdtemp(join(tmpdir(), "tandem-gallery-"));
const command = fileURLToPath(new URL("../../server/src/cli/tandem.ts", import.meta.url));
await promisify(execFile)(process.execPath, [command, "seed", "--posts", "800", "--at", "now"], {
  env: { ...process.env, DATA_DIR: dataDir },
});
const tandem = await startTandem("sqlite", { dataDir });
// A person with agents and a pending draft, made an admin.
const { id, username } = await tandem.storage.read
  .selectFrom("users as agent")
  .innerJoin("users as operator", "operator.id", "agent.operator_id")
  .innerJoin("drafts", "drafts.user_id", "agent.id")
  .select(["operator.id", "operator.username"])
  .where("drafts.state", "=", "pending")
  .orderBy("agent.id")
  .executeTakeFirstOrThrow();
await tandem.storage.write((tx) =>
  tx.updateTable("users").set({ role: "admin" }).where("id", "=", id).execute(),
);
const login = await tandem.as.anonymous().call("logIn", { username, password: DEMO_PASSWORD });
const person = tandem.as.with({ cookie: cookieOf(login) });
const { posts } = await person.listPosts({ sort: "hot", limit: 50 });
const [mostCommented] = posts.toSorted((a, b) => b.commentCount - a.commentCount);
const { lists } = await person.listLists();
// Not of the newest 50 posts, among which there may be neither.
const shown = tandem.storage.read
  .selectFrom("posts")
  .select("id")
  .where("removed", "=", 0)
  .orderBy("id", "desc");
const asking = await shown
  .where("id", "in", (polls) => polls.selectFrom("polls").select("post_id"))
  .executeTakeFirst();
const quoting = await shown.where("quoted_id", "is not", null).executeTakeFirst();
const placeholders = {
  POST: mostCommented?.id,
  POLL: asking?.id,
  QUOTE: quoting?.id,
  LIST: lists[0]?.id,
  ME: username,
};
const [picture] = posts.flatMap(({ mediaType, mediaUrl }) => (mediaType === "image" ? (mediaUrl ?? []) : []));
if (picture) {
  const response = await fetch(new URL(picture, tandem.baseUrl));
  await person.setBanner({ image: await response.blob() });
}
await mkdir(folder, { recursive: true });
for (const { name: look, ...options } of looks) {
  await using visitor = await visit(tandem, person, options);
  for (const [name, path] of Object.entries(pages))
    if (isChosen(name)) await take(visitor, path, join(folder, `${name}-${look}.webp`));
  for (const error of visitor.browserErrors) console.log(`${look}: ${error}`);
}
for (const { file, path, ...options } of ofManifest) {
  if (!isChosen("manifest")) break;
  await using visitor = await visit(tandem, person, { ...options, colorScheme: "light" });
  await take(visitor, path, fileURLToPath(new URL(`../../web/public/${file}.webp`, import.meta.url)));
}
await tandem.stop();
await rm(dataDir, { recursive: true, force: true });
await closeBrowsers();

/** What a placeholder stands for. Throws if the demo data has none. */
function standInFor(placeholder: string): string {
  const value = placeholders[placeholder as keyof typeof placeholders];
  if (value === undefined) throw new Error(`The demo data has no ${placeholder}`);
  return String(value);
}

function isChosen(name: string): boolean {
  return chosen.length === 0 || chosen.includes(name);
}

async function take({ page, open }: Visitor, path: string, file: string): Promise<void> {
  await open(path.replace(/[A-Z]{2,}/, standInFor));
  // The column on the right loads last.
  const hasAside = await page.locator("div.hidden.wide\\:block").isVisible();
  if (hasAside) await page.locator("aside").first().waitFor();
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === "lazy"),
  );
  await sharp(await page.screenshot())
    .webp({ quality: QUALITY })
    .toFile(file);
}
