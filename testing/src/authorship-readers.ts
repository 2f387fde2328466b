import { type OperationName, operations } from "@tandem/contract/operations";
import { jsonOf, partsOf } from "@tandem/server/features/account-export/export-parts";
import { describeTargets } from "@tandem/server/features/moderation/targets";
import { messageBody } from "@tandem/server/features/webhooks/message-body";
import { payloadFor } from "@tandem/server/features/webhooks/push-payload";
import {
  feedFormats,
  inFeed,
  inMarkdown,
  marked,
  marksIn,
  observe,
  previewIn,
  profileMarksIn,
  seenIn,
  sourceTypeIn,
  structuredIn,
} from "./authorship-marks.ts";
import { type Account, accounts, type Kind, type Observation, type World } from "./authorship-model.ts";
import { creatorOf, profileOf, type Reading } from "./authorship-reading.ts";
import { reads } from "./authorship-reads.ts";
import { toolCall } from "./authorship-step.ts";
import type { Caller } from "./callers.ts";

/** All that shows what others wrote, outside of the API's own operations (see `authorship-reads.ts`). */

interface Reader {
  /** It shows all existing items of these kinds, of both accounts unless it names one. */
  shows?: readonly Kind[];
  of?: Account;
  /** It must say what AI wrote, but may say it of a person's text next to that, too. */
  isBroad?: true;
  read(world: Reading): Promise<Observation[]>;
}

/**
 * Outside of a profile, a person's name has no mark, so one that AI wrote must not be there. Agents' profiles are those of agents:
 * the badge next to their names is tested elsewhere.
 */
function withoutMarkOfNames({ world }: Reading, seen: Observation[]): Observation[] {
  const profile = new Map([...world.profile.values()].map((item) => [item.token, item]));
  return seen.flatMap(({ token, said }) => {
    const item = profile.get(token);
    if (item?.account === "bot") return [];
    return [{ token, said: item?.kind === "displayName" ? "human" : said }];
  });
}

const withoutProfiles = ({ world }: Reading, seen: Observation[]): Observation[] => {
  const profile = new Set([...world.profile.values()].map(({ token }) => token));
  return seen.filter(({ token }) => !profile.has(token));
};

const fieldNames: Partial<Record<Kind, string>> = { displayName: "name", bio: "bio", links: "links" };

const pages = (paths: (world: World) => [Caller | undefined, string][]) => async (reading: Reading) => {
  const observed: Observation[] = [];
  for (const [caller, path] of paths(reading.world)) {
    const seen = seenIn(await reading.page(path, "text/html", caller));
    // People know who wrote their own name.
    const isOwn = caller === reading.world.ada;
    observed.push(...(isOwn ? withoutProfiles(reading, seen) : withoutMarkOfNames(reading, seen)));
  }
  return observed;
};

const POST_HEADING = /^(?=## \[Post )/m;

const profilePictures = ["avatarUrl", "bannerUrl"] as const;

/** To have another reader checked, add it here. */
export const readers: Record<string, Reader> = {
  ...Object.fromEntries(
    Object.entries(reads).map(([name, inputs]) => [
      `the API's ${name}`,
      {
        shows:
          ({ listPosts: ["post"], listComments: ["comment"], listProducts: ["product"] } as const)[name] ??
          [],
        read: async (reading: Reading) => {
          const calls = inputs(reading.world).map(([caller, input]) =>
            reading.call(name as OperationName, caller, input),
          );
          return (await Promise.all(calls)).flatMap((body) => marksIn(body));
        },
      },
    ]),
  ),
  "the API's pictures of profiles": {
    shows: profilePictures,
    read: async (reading) => {
      const creators = await Promise.all(accounts.map((account) => creatorOf(reading, account)));
      return creators.flatMap((creator) =>
        profilePictures.flatMap((field) => {
          const token = creator[field];
          return token === null ? [] : [{ token, said: marked(creator.aiGeneratedFields.includes(field)) }];
        }),
      );
    },
  },
  "tools of MCP": {
    shows: ["post"],
    read: async (reading) => {
      const observed: Observation[] = [];
      for (const [name, inputs] of Object.entries(reads)) {
        const { access, exposure } = operations[name as OperationName];
        if (access.kind !== "anyone" || exposure === "hidden") continue;
        // The two accounts; the rest is as in the API.
        for (const [, input] of inputs(reading.world).slice(0, 2)) {
          const { structuredContent } = await reading.world.mcp.call(
            ...toolCall(name as OperationName, input),
          );
          observed.push(...marksIn(structuredContent));
        }
      }
      return observed;
    },
  },
  "bodies of webhooks": {
    read: async ({ world: { tandem, bob } }) => {
      const { read } = tandem.storage;
      const hooks = await read
        .selectFrom("webhooks")
        .selectAll()
        .where("owner_id", "=", bob.user.id)
        .execute();
      const bodies: Observation[] = [];
      for (const hook of hooks) {
        const sendings = await read
          .selectFrom("webhook_deliveries")
          .selectAll()
          .where("webhook_id", "=", hook.id)
          .where("type", "!=", "test")
          .execute();
        for (const sending of sendings)
          if (hook.session_id === null)
            bodies.push(...marksIn(JSON.parse(await messageBody(read, hook, sending, Date.now()))));
          else {
            const { message } = await payloadFor(tandem.services, hook, sending);
            bodies.push(...marksIn(JSON.parse(message ?? "null")));
          }
      }
      return bodies;
    },
  },
  // Wherever a case is shown. A decision stores the same.
  "what reports quote": {
    shows: ["post", "comment", "bio"],
    read: async ({ world: { tandem, ada, botId, posts, comments } }) => {
      const found = await describeTargets(tandem.storage.read, [
        ...posts.map(({ id }) => ({ kind: "post", target_id: id }) as const),
        ...comments.map(({ id }) => ({ kind: "comment", target_id: id }) as const),
        ...[ada.user.id, botId].map((id) => ({ kind: "account", target_id: id }) as const),
      ]);
      return found.flatMap(({ target }) => marksIn(target));
    },
  },
  "link previews of posts": {
    shows: ["post"],
    read: async (reading) => (await reading.postPages()).flatMap(previewIn),
  },
  "pages of posts": {
    shows: ["post", "comment"],
    read: async (reading) => withoutMarkOfNames(reading, (await reading.postPages()).flatMap(seenIn)),
  },
  "structured data of posts": {
    shows: ["post", "comment"],
    read: async (reading) => withoutMarkOfNames(reading, (await reading.postPages()).flatMap(structuredIn)),
  },
  "posts as Markdown": {
    shows: ["post", "comment"],
    read: async (reading) => (await reading.postPages("text/markdown")).flatMap(inMarkdown),
  },
  "posts of communities as Markdown": {
    read: async (reading) =>
      inMarkdown(
        await reading.page(`/index.md?platform=native&community=${reading.world.community}`, "text/markdown"),
      ),
  },
  "lists of posts and search results": {
    read: pages((world) => [
      [world.bob, `/c/${world.community}`],
      [world.bob, "/?followed=1"],
      [world.bob, "/?saved=1"],
      [undefined, `/search?author=${world.names.ada}&q=tok`],
      [undefined, `/search?author=${world.names.bot}&q=tok`],
    ]),
  },
  "pages of profiles": {
    shows: ["displayName", "bio", "links"],
    read: async (reading) =>
      (await reading.profiles()).flatMap((html, index) => {
        const { text, isAgent, fields } = profileMarksIn(html);
        const profile = new Map([...reading.world.profile.values()].map((item) => [item.token, item]));
        const own = observe(text, "human").map(({ token }) => {
          const item = profile.get(token);
          const isMarked = isAgent || fields.toLowerCase().includes(fieldNames[item?.kind ?? "bio"] ?? "");
          // An agent's profile names its operator.
          return { token, said: marked(item?.account === accounts[index] && isMarked) };
        });
        return [...own, ...withoutProfiles(reading, seenIn(html))];
      }),
  },
  "link previews and structured data of profiles": {
    isBroad: true,
    read: async (reading) =>
      (await reading.profiles()).flatMap((html) => [...structuredIn(html), ...previewIn(html)]),
  },
  "profiles as Markdown": {
    shows: ["displayName", "bio", "links"],
    read: async (reading) =>
      (await reading.profiles("text/markdown")).flatMap((page) => {
        const [about = ""] = page.split(POST_HEADING);
        const marks = /^AI-generated: (.*)$/m.exec(about)?.[1] ?? "";
        const [facts = "", bio = ""] = about.split(/^posts: /m);
        const [, links = ""] = about.split(/^## Links/m);
        return [
          ...observe(facts.split(/^Operated by/m)[0], marked(/display name/.test(marks))),
          ...observe(bio.split(/^## Links/m)[0], marked(/the bio/.test(marks))),
          ...observe(links, marked(/the links/.test(marks))),
          ...inMarkdown(page.slice(about.length)),
        ];
      }),
  },
  // The mark of a comment may be next to a title that needs none, and that of who acted next to what they saw.
  "profiles' comments and notifications": {
    isBroad: true,
    read: async (reading) => {
      const { world } = reading;
      const paths = accounts.map((account) => `${profileOf(world, account)}?tab=comments`);
      const found = await Promise.all([
        ...paths.map((path) => reading.page(path)),
        reading.page("/notifications", "text/html", world.bob),
      ]);
      return withoutProfiles(reading, found.flatMap(seenIn));
    },
  },
  "pages of products, streams and people": {
    shows: ["product", "live"],
    read: pages((world) => [
      [undefined, "/shop"],
      [world.ada, "/shop/mine"],
      [undefined, "/live"],
      ...accounts.flatMap((account): [undefined, string][] =>
        world.lives.has(account) ? [[undefined, `/live/${world.names[account]}`]] : [],
      ),
      [world.ada, "/analytics"],
      [world.ada, `/agents/${world.botId}`],
      [world.bob, "/following"],
      [world.bob, "/messages"],
      [world.bob, `/messages/${world.names.ada}`],
      [undefined, `/creators?q=${world.names.ada}`],
    ]),
  },
  feeds: {
    shows: ["post"],
    read: async (reading) => {
      const { world } = reading;
      const texts = feedFormats.flatMap((format) =>
        [
          ...accounts.map((account) => `${profileOf(world, account)}/feed.${format}`),
          `/feed.${format}?platform=native&community=${world.community}`,
        ].map(async (path) => inFeed(format, await reading.page(path, "*/*"))),
      );
      return withoutMarkOfNames(reading, (await Promise.all(texts)).flat());
    },
  },
  "the export": {
    shows: ["post", "comment", "product", "message"],
    of: "ada",
    read: async ({ world: { tandem, ada } }) => {
      const observed: Observation[] = [];
      for (const part of partsOf.person) {
        if (!["posts", "comments", "products", "messages"].includes(part.name)) continue;
        let json = "";
        for await (const piece of jsonOf(tandem.storage.read, part, ada.user.id)) json += piece;
        observed.push(...marksIn(JSON.parse(json)));
      }
      return observed;
    },
  },
};

/** What pictures say in their own metadata: those of posts and profiles. */
export async function pictureMarks(reading: Reading): Promise<Observation[]> {
  const posts = (await reading.posts()).filter(({ mediaType }) => mediaType === "image");
  const creators = await Promise.all(accounts.map((account) => creatorOf(reading, account)));
  const pictures = [
    ...posts.flatMap(({ title, mediaUrl, thumbnailUrl, pictures = [] }) =>
      [mediaUrl, thumbnailUrl, ...pictures.map(({ url }) => url)].map((address) => ({
        token: observe(title, "human")[0]?.token ?? "",
        address,
      })),
    ),
    ...creators
      .flatMap(({ avatarUrl, bannerUrl }) => [avatarUrl, bannerUrl])
      .map((address) => ({ token: address ?? "", address })),
  ];
  const marks = pictures.map(async ({ token, address }) => {
    if (address === null) return [];
    const bytes = await (await fetch(reading.world.tandem.baseUrl + address)).arrayBuffer();
    return [{ token, said: sourceTypeIn(Buffer.from(bytes).toString("latin1")) }];
  });
  return (await Promise.all(marks)).flat();
}

interface ReadVersion extends Observation {
  current: boolean;
}

/** The texts of each version of posts and comments, from the API and, of some, from their pages. */
export async function versionsOf(reading: Reading): Promise<ReadVersion[]> {
  const { bob } = reading.world;
  const kinds = [
    { name: "listPostVersions", path: "posts", items: await reading.posts() },
    { name: "listCommentVersions", path: "comments", items: await reading.comments() },
  ] as const;
  const read: ReadVersion[] = [];
  for (const { name, path, items } of kinds) {
    let pages = 0;
    for (const { id } of items) {
      const body = await reading.call(name, bob, { id, limit: 50 });
      const versions = (body.versions ?? []) as { current: boolean }[];
      for (const version of versions)
        read.push(...marksIn(version).map((one) => ({ ...one, current: version.current })));
      if (versions.length < 2 || ++pages > 3) continue;
      const address = `/${path}/${id}/versions`;
      const shown = [
        ...seenIn(await reading.page(address)),
        ...inMarkdown(await reading.page(address, "text/markdown")),
      ];
      read.push(...shown.map((one) => ({ ...one, current: false })));
    }
  }
  return read;
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
