import type { Comment, Post, ProductCard } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import { jsonOf, partsOf } from "@tandem/server/features/account-export/export-parts";
import { describeTargets } from "@tandem/server/features/moderation/targets";
import { type Account, accounts, type Kind, type Said, type World } from "./authorship-model.ts";

/** What one of the service's readers shows: the text or picture with this token, and who wrote it. */
export interface Observation {
  token: string;
  said: Said;
}

interface Reader {
  /** It shows all existing items of these kinds, of both accounts unless it names one. */
  shows: readonly Kind[];
  of?: Account;
  read(world: World): Promise<Observation[]>;
}

const TOKEN = /tok\d+x/;
const tokenIn = (text: string | null | undefined) => TOKEN.exec(text ?? "")?.[0];
const marked = (isAi: boolean): Said => (isAi ? "ai_generated" : "human");

/** None if the text has no token: then it isn't in the model. */
const observe = (text: string | null | undefined, said: Said): Observation[] => {
  const token = tokenIn(text);
  return token ? [{ token, said }] : [];
};

const ofCards = (cards: readonly ProductCard[]) =>
  cards.flatMap(({ title, isAiGenerated }) => observe(title, marked(isAiGenerated)));

async function postsOf(world: World): Promise<Post[]> {
  const lists = accounts.map((account) => world.bob.listPosts({ author: world.names[account], limit: 50 }));
  return (await Promise.all(lists)).flatMap(({ posts }) => posts);
}

async function commentsOf(world: World): Promise<Comment[]> {
  const ids = [world.bobsPost, ...(await postsOf(world)).map(({ id }) => id)];
  const lists = await Promise.all(ids.map((id) => world.bob.listComments({ id, limit: 50 })));
  return lists.flatMap(({ comments }) => comments);
}

const creatorOf = async ({ bob, names }: World, account: Account) =>
  (await bob.readCreator({ platform: "native", author: names[account] })).creator;

async function page({ tandem }: World, path: string, accept: string): Promise<string> {
  const response = await fetch(tandem.baseUrl + path, { headers: { accept } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

/** The pages of all posts with comments or texts in the model. */
async function postPages(world: World, accept: string): Promise<string[]> {
  const ids = [world.bobsPost, ...(await postsOf(world)).map(({ id }) => id)];
  const pages: string[] = [];
  for (const id of ids) pages.push(await page(world, `/posts/${id}`, accept));
  return pages;
}

const sourceTypes: Record<string, Said> = {
  compositeWithTrainedAlgorithmicMedia: "ai_assisted",
  trainedAlgorithmicMedia: "ai_generated",
};
const sourceTypeIn = (text: string | undefined): Said =>
  sourceTypes[/digitalsourcetype\/(\w+)/.exec(text ?? "")?.[1] ?? ""] ?? "human";

interface JsonLd {
  headline?: string;
  text?: string;
  digitalSourceType?: string;
  comment?: JsonLd[];
  mainEntity?: { name: string; description?: string };
}

function jsonLdIn(html: string): JsonLd {
  const [, json] = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  if (json === undefined) throw new Error("a page has no structured data");
  return JSON.parse(json);
}

/** The badge in a part of a page; without one, a person. */
function badgeIn(html: string): Said {
  if (html.includes("AI-generated, verified") || html.includes("AI-generated, according"))
    return "ai_generated";
  return html.includes("with help from AI") ? "ai_assisted" : "human";
}

const metaIn = (html: string, name: string): string =>
  new RegExp(`<meta property="${name}" content="([^"]*)">`).exec(html)?.[1] ?? "";

/** The label that a link preview's text begins with. */
function previewLabelIn(description: string): Said {
  if (description.startsWith("AI-generated")) return "ai_generated";
  return description.startsWith("AI-assisted") ? "ai_assisted" : "human";
}

/** What a post's page shows in the browser: the post, its products and its comments. */
function visibleIn(html: string): Observation[] {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main"));
  const [post = "", ...comments] = main.split('id="comment-');
  const author = /<a [^>]*href="\/creators\/.*?<\/a>/gs;
  const product = /<a [^>]*href="\/out\/.*?<\/a>/gs;
  return [
    ...observe(/<h1.*?<\/h1>/s.exec(post)?.[0], badgeIn(post.replaceAll(product, ""))),
    ...(post.match(product) ?? []).flatMap((card) => observe(card, badgeIn(card))),
    // The author's name is in the model, too, but as part of the profile.
    ...comments.flatMap((comment) => observe(comment.replaceAll(author, ""), badgeIn(comment))),
  ];
}

const words: [RegExp, Said][] = [
  [/AI-generated/, "ai_generated"],
  [/Written with AI's help/, "ai_assisted"],
];
const wordsIn = (line: string): Said => words.find(([word]) => word.test(line))?.[1] ?? "human";

function inMarkdown(markdown: string): Observation[] {
  const [post = "", comments = ""] = markdown.split(/^## Comments$/m);
  const [heading = "", ...lines] = post.split("\n").filter((line) => TOKEN.test(line) || / · /.test(line));
  return [
    ...observe(heading, wordsIn(lines.find((line) => / · /.test(line)) ?? "")),
    ...lines.filter((line) => line.startsWith("Product")).flatMap((line) => observe(line, wordsIn(line))),
    ...comments.split(/^### /m).flatMap((comment) => observe(comment, wordsIn(comment))),
  ];
}

const provenanceIn = (marks: readonly (string | undefined)[]): Said =>
  (["ai_generated", "ai_assisted"] as const satisfies Provenance[]).find((name) => marks.includes(name)) ??
  "human";

type Format = "rss" | "atom" | "json";
function feedItems(format: Format, text: string): Observation[] {
  if (format === "json")
    return ((JSON.parse(text) as { items?: { title: string; tags?: string[] }[] }).items ?? []).flatMap(
      ({ title, tags = [] }) => observe(title, provenanceIn(tags)),
    );
  const [item, category] =
    format === "rss"
      ? [/<item>.*?<\/item>/gs, /<category[^>]*>([^<]*)</g]
      : [/<entry>.*?<\/entry>/gs, /<category term="([^"]*)"/g];
  return (text.match(item) ?? []).flatMap((entry) =>
    observe(
      /<title>.*?<\/title>/s.exec(entry)?.[0],
      provenanceIn([...entry.matchAll(category)].map(([, name]) => name)),
    ),
  );
}

const feed = (format: Format): Reader => ({
  shows: ["post"],
  read: async (world) => {
    const found = accounts.map((account) =>
      page(world, `/creators/native/${world.names[account]}/feed.${format}`, "*/*"),
    );
    return (await Promise.all(found)).flatMap((text) => feedItems(format, text));
  },
});

const profileFields = ["displayName", "bio", "avatarUrl", "bannerUrl"] as const;

/** To have another reader checked, add it here. */
export const readers: Record<string, Reader> = {
  "the API's posts": {
    shows: ["post"],
    read: async (world) =>
      (await postsOf(world)).flatMap(({ title, provenance, products }) => [
        ...observe(title, provenance),
        ...ofCards(products),
      ]),
  },
  "the API's comments": {
    shows: ["comment"],
    read: async (world) =>
      (await commentsOf(world)).flatMap(({ body, isAiGenerated }) => observe(body, marked(isAiGenerated))),
  },
  "the API's products": {
    shows: ["product"],
    read: async ({ bob }) =>
      (await bob.listProducts({ limit: 50 })).products.flatMap(({ title, isAiGenerated }) =>
        observe(title, marked(isAiGenerated)),
      ),
  },
  "the API's profiles": {
    shows: profileFields,
    read: async (world) => {
      const creators = await Promise.all(accounts.map((account) => creatorOf(world, account)));
      return creators.flatMap((creator) =>
        profileFields.flatMap((field) => {
          const text = creator[field];
          const said = marked(creator.aiGeneratedFields.includes(field));
          return text === null ? [] : [{ token: text, said }];
        }),
      );
    },
  },
  "the API's lives": {
    shows: ["live"],
    read: async ({ bob }) =>
      (await bob.listLives()).lives.flatMap(({ title, isAiGenerated }) =>
        observe(title, marked(isAiGenerated)),
      ),
  },
  "the API's messages": {
    shows: [],
    read: async ({ ada, bob, names }) => {
      const logs = [
        await ada.listMessages({ username: names.bot, limit: 50 }),
        await bob.listMessages({ username: names.ada, limit: 50 }),
      ];
      return logs
        .flatMap(({ messages }) => messages)
        .flatMap(({ body, isAiGenerated }) => observe(body, marked(isAiGenerated)));
    },
  },
  "comments of profiles": {
    shows: ["comment"],
    read: async ({ bob, names }) => {
      const lists = accounts.map((account) =>
        bob.listCreatorComments({ platform: "native", author: names[account], limit: 50 }),
      );
      return (await Promise.all(lists))
        .flatMap(({ comments }) => comments)
        .flatMap(({ body, isAiGenerated, postTitle, postProvenance }) => [
          ...observe(body, marked(isAiGenerated)),
          ...observe(postTitle, postProvenance),
        ]);
    },
  },
  // Also in events and webhooks, which get it from the same function.
  "what notifications quote": {
    shows: [],
    read: async ({ ada, bob, callers }) => {
      const inboxes = [ada, bob, callers.bot].map((caller) => caller.listNotifications());
      return (await Promise.all(inboxes))
        .flatMap(({ notifications }) => notifications)
        .flatMap(({ excerpt, excerptProvenance }) => observe(excerpt, excerptProvenance ?? "human"));
    },
  },
  // Wherever a case is shown. A decision stores the same.
  "what reports quote": {
    shows: ["post", "comment", "bio"],
    read: async ({ tandem, ada, botId, posts, comments }) => {
      const found = await describeTargets(tandem.storage.read, [
        ...posts.map(({ id }) => ({ kind: "post", target_id: id }) as const),
        ...comments.map(({ id }) => ({ kind: "comment", target_id: id }) as const),
        ...[ada.user.id, botId].map((id) => ({ kind: "account", target_id: id }) as const),
      ]);
      return found.flatMap(({ target }) => observe(target.excerpt, target.excerptProvenance ?? "human"));
    },
  },
  "link previews of posts": {
    shows: ["post"],
    read: async (world) =>
      (await postPages(world, "text/html")).flatMap((html) =>
        observe(metaIn(html, "og:title"), previewLabelIn(metaIn(html, "og:description"))),
      ),
  },
  "pages of posts": {
    shows: ["post", "comment"],
    read: async (world) => (await postPages(world, "text/html")).flatMap(visibleIn),
  },
  "structured data of posts": {
    shows: ["post", "comment"],
    read: async (world) =>
      (await postPages(world, "text/html"))
        .map(jsonLdIn)
        .flatMap(({ headline, comment = [], ...post }) => [
          ...observe(headline, sourceTypeIn(post.digitalSourceType)),
          ...comment.flatMap(({ text, digitalSourceType }) => observe(text, sourceTypeIn(digitalSourceType))),
        ]),
  },
  "posts as Markdown": {
    shows: ["post", "comment"],
    read: async (world) => (await postPages(world, "text/markdown")).flatMap(inMarkdown),
  },
  "profiles as Markdown": {
    shows: ["displayName", "bio"],
    read: async (world) => {
      const pages = accounts.map(async (account) => {
        const path = `/creators/native/${world.names[account]}`;
        const [about = ""] = (await page(world, path, "text/markdown")).split(/^## /m);
        const marks = /^AI-generated: (.*)$/m.exec(about)?.[1] ?? "";
        const { displayName, bio } = await creatorOf(world, account);
        return [
          ...(about.includes(displayName ?? "-")
            ? observe(displayName, marked(/display name/.test(marks)))
            : []),
          ...(about.includes(bio ?? "-") ? observe(bio, marked(/the bio/.test(marks))) : []),
        ];
      });
      return (await Promise.all(pages)).flat();
    },
  },
  RSS: feed("rss"),
  Atom: feed("atom"),
  "JSON Feed": feed("json"),
  MCP: {
    shows: ["post"],
    read: async ({ mcp, names }) => {
      const lists = accounts.map((account) =>
        mcp.call("tandem_list_posts", { author: names[account], limit: 50 }),
      );
      const posts = (await Promise.all(lists)).flatMap(
        ({ structuredContent }) => (structuredContent as { posts: Post[] }).posts,
      );
      return posts.flatMap(({ title, provenance }) => observe(title, provenance));
    },
  },
  "the export": {
    shows: ["post", "product", "message"],
    of: "ada",
    read: async ({ tandem, ada }) => {
      const rows: { title?: string; body?: string; provenance?: Said; isAiGenerated?: number }[] = [];
      for (const part of partsOf.person) {
        if (!["posts", "comments", "products", "messages"].includes(part.name)) continue;
        let json = "";
        for await (const piece of jsonOf(tandem.storage.read, part, ada.user.id)) json += piece;
        rows.push(...JSON.parse(json));
      }
      return rows.flatMap(({ title, body, provenance, isAiGenerated }) =>
        observe(title ?? body, provenance ?? marked(isAiGenerated === 1)),
      );
    },
  },
};

/** What pictures say in their own metadata: those of posts and profiles. */
export async function pictureMarks(world: World): Promise<Observation[]> {
  const posts = (await postsOf(world)).filter(({ mediaType }) => mediaType === "image");
  const creators = await Promise.all(accounts.map((account) => creatorOf(world, account)));
  const pictures = [
    ...posts.flatMap(({ title, mediaUrl, thumbnailUrl }) =>
      [mediaUrl, thumbnailUrl].map((address) => ({ token: tokenIn(title) ?? "", address })),
    ),
    ...creators
      .flatMap(({ avatarUrl, bannerUrl }) => [avatarUrl, bannerUrl])
      .map((address) => ({ token: address ?? "", address })),
  ];
  const marks = pictures.map(async ({ token, address }) => {
    if (address === null) return [];
    const bytes = await (await fetch(world.tandem.baseUrl + address)).arrayBuffer();
    return [{ token, said: sourceTypeIn(Buffer.from(bytes).toString("latin1")) }];
  });
  return (await Promise.all(marks)).flat();
}

/** Of bob's notifications of comments: whether they say that a key or agent acted, over the API and to his webhook. */
export async function notifiedComments({ tandem, bob }: World): Promise<{ id: number; byAi: boolean }[]> {
  const { notifications } = await bob.listNotifications();
  const deliveries = await tandem.storage.read
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhooks as w", "w.id", "d.webhook_id")
    .select("d.payload")
    .where("w.owner_id", "=", bob.user.id)
    .where("w.session_id", "is", null)
    .where("d.type", "in", ["comment", "reply"])
    .execute();
  const sent = deliveries.map(({ payload }) => JSON.parse(payload).data as (typeof notifications)[number]);
  return [...notifications, ...sent].flatMap(({ type, commentId, byAi }) =>
    (type === "comment" || type === "reply") && commentId !== null ? [{ id: commentId, byAi }] : [],
  );
}
