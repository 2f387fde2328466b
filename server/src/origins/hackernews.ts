import type { RawItem } from "./clean/item.ts";
import { at, jsonOf, stringAt } from "./clean/json.ts";
import { plainOf } from "./clean/text.ts";
import { type Connector, type Gathered, OriginError } from "./connector.ts";
import { gatheredFrom, unchangedAs } from "./visit.ts";

const home = "https://news.ycombinator.com";
const api = "https://hacker-news.firebaseio.com/v0";

/** Its lists: what each is called in addresses and in its API. */
const lists: Record<string, string> = {
  news: "topstories",
  newest: "newstories",
  best: "beststories",
  ask: "askstories",
  show: "showstories",
  jobs: "jobstories",
};

/** Each story is asked for by itself, so only the first page of a list is. */
const PAGE = 30;

/** One of the lists of Hacker News, which stands for the community. Points are the score. */
export const hackernews: Connector = {
  platform: "hackernews",

  recognise({ hostname, pathname }) {
    if (hostname !== "news.ycombinator.com") return null;
    const list = pathname.slice(1) || "news";
    if (!Object.hasOwn(lists, list)) return null;
    return {
      url: `${home}/${list}`,
      name: list === "news" ? "Hacker News" : `Hacker News: ${list}`,
      community: list,
    };
  },

  async gather({ url, community }, ask) {
    const list = new URL(url).pathname.slice(1);
    const answer = await ask(`${api}/${lists[list]}.json`, { accept: "application/json", anew: true });
    const ids = jsonOf(answer);
    if (!Array.isArray(ids)) throw new OriginError("It answered JSON without a list of items.");
    const stories: unknown[] = [];
    for (const id of ids.filter(Number.isSafeInteger).slice(0, PAGE)) {
      const story = await ask(`${api}/item/${id}.json`, { accept: "application/json" });
      // What is as it was is known already.
      if (story.status === 200) stories.push(jsonOf(story));
    }
    return stories.length > 0 ? gathered(answer, stories, community ?? list) : unchangedAs(answer);
  },
};

function gathered(answer: { headers: Headers }, stories: unknown[], list: string): Promise<Gathered> {
  return gatheredFrom(answer, stories, {
    list: [],
    draft: (story) => draftOf(story, list),
    isGone: (story) => at(story, "deleted") === true || at(story, "dead") === true,
    complete: false,
  });
}

function draftOf(story: unknown, list: string): RawItem | null {
  const id = at(story, "id");
  if (!Number.isSafeInteger(id)) return null;
  return {
    key: id,
    permalink: `${home}/item?id=${id}`,
    link: at(story, "url"),
    author: at(story, "by"),
    title: at(story, "title"),
    body: plainOf(stringAt(story, "text"), home),
    community: list,
    score: at(story, "score"),
    postedAt: at(story, "time"),
  };
}
