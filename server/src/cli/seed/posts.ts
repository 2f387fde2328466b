import type { MediaType, Provenance } from "@tandem/contract/resources";
import { importedAuthorship } from "../../features/posts/authorship.ts";
import { postDefaults, withLink } from "../../storage/post-fragment.ts";
import { card, code, hasMedia, media, page } from "./media.ts";
import type { Account, Facts, Post } from "./plan.ts";
import type { Random } from "./random.ts";
import { customs, foreignAuthor } from "./sources.ts";
import { writing } from "./text.ts";
import { MINUTE } from "./time.ts";
import type { World } from "./world.ts";

const NATIVE = 0.45;
/** Of the native posts. */
const BY_AGENTS = 0.3;
const EDITED = 0.03;

const nativeMedia: Record<MediaType, number> = { text: 50, link: 18, image: 18, video: 8, gif: 6 };
const declared: Record<Provenance, number> = { human: 82, ai_assisted: 12, ai_generated: 6 };
/** What origins say. Most say nothing. */
const declaredElsewhere = { unsaid: 92, human: 3, ai_assisted: 3, ai_generated: 2 };

/** A post without engagement. `until` is the end of its batch. */
export function makePost(random: Random, world: World, postedAt: number, until: number): Post {
  const post = random.chance(NATIVE)
    ? nativePost(random, world, postedAt)
    : gathered(random, world, postedAt);
  if (post.by && random.chance(EDITED)) {
    const later = postedAt + Math.min(random.wait(20 * MINUTE), until - postedAt);
    post.facts.editedAt = instant(later);
  }
  return post;
}

function nativePost(random: Random, world: World, postedAt: number): Post {
  const byAgent = world.agents.length > 0 && random.chance(BY_AGENTS);
  const by = random.favourite(byAgent ? world.agents : world.people, 2.2);
  const mediaType = random.weighted(nativeMedia);
  const voice = mediaType === "link" ? "news" : by.isAgent ? "agent" : "person";
  const { title, body, about } = writing(random, by.topic, voice, mediaType === "text" ? 0.85 : 0.35);
  const facts = shown(
    random,
    { world, mediaType, topic: by.topic },
    {
      ...postDefaults,
      author: by.username,
      authorIsAgent: by.isAgent,
      authorAvatarUrl: by.avatarUrl,
      title,
      body,
      // The server marks agents' posts as AI-generated; people declare the use of AI themselves.
      provenance: by.isAgent ? "ai_generated" : random.weighted(declared),
      provenanceBasis: by.isAgent ? "stamped" : "declared",
      postedAt: instant(postedAt),
    },
  );
  return { ...unseen(facts, about, postedAt), by, products: wares(random, by) };
}

function gathered(random: Random, world: World, postedAt: number): Post {
  const platform = random.weighted(world.shares);
  const source = random.favourite(world.sourcesOf[platform], 1.3);
  const { media: kinds, titled, wordy, score, permalink } = customs[platform];
  const topic =
    platform === "hackernews" ? random.pick(["programming", "selfhosting", "agents"]) : source.topic;
  const author = foreignAuthor(platform, Math.floor(random.next() ** 2.2 * world.externalAuthors));
  const mediaType = random.weighted(kinds);
  const said = random.weighted(declaredElsewhere);
  const { title, body, about } = writing(random, topic, mediaType === "link" ? "news" : "person", wordy);
  const facts = shown(
    random,
    { world, mediaType, topic },
    {
      ...postDefaults,
      platform,
      author,
      authorIsAgent: false,
      title: titled ? title : null,
      body: titled ? body : [title, body].filter(Boolean).join("\n\n"),
      community: source.community,
      sourceName: source.name,
      ...importedAuthorship(said === "unsaid" ? null : said),
      postedAt: instant(postedAt),
    },
  );
  // The address of a gathered post is its permalink, also where it shows a link.
  const url = permalink(source, author, code(random));
  return {
    ...unseen({ ...facts, url }, about, postedAt),
    source,
    originScore: score === 0 ? 0 : random.longTail(score, 90_000),
  };
}

/** The facts, with what the post shows: its picture, its link with a card, or nothing but words. */
function shown(
  random: Random,
  { world: { gallery }, mediaType, topic }: { world: World; mediaType: MediaType; topic: string },
  facts: Facts,
): Facts {
  if (hasMedia(mediaType)) return { ...facts, ...media(random, mediaType, topic, gallery) };
  if (mediaType === "text") return facts;
  const title = facts.title ?? facts.body ?? "";
  const { url, siteName } = page(random, topic, title);
  const linked = card(random, topic, { title, siteName, gallery });
  return { ...withLink({ ...facts, products: [] }, url), ...linked };
}

/** Makers show what they make now and then. */
function wares(random: Random, { products }: Account): Account["products"] {
  if (products.length === 0 || !random.chance(0.3)) return [];
  const first = random.between(0, products.length - 1);
  return products.slice(first, first + random.between(1, 3));
}

function unseen(facts: Facts, about: Post["about"], postedAt: number): Post {
  return {
    id: 0,
    by: null,
    source: null,
    about,
    facts,
    originScore: 0,
    postedAt,
    views: 0,
    comments: 0,
    likes: [],
    saves: [],
    dismissals: [],
    products: [],
    clicks: [],
  };
}

function instant(time: number): string {
  return new Date(time).toISOString();
}
