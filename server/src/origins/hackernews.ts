import type { RawItem } from "./clean/item.ts";
import { at, jsonOf, stringAt } from "./clean/json.ts";
import { plainOf } from "./clean/text.ts";
import { type Connector, OriginError, type PollResult } from "./connector.ts";
import { pollResultOf, unchangedResult } from "./poll.ts";

const home = "https://news.ycombinator.com";
const api = "https://hacker-news.firebaseio.com/v0";

/** Names of the lists in URLs and in the API. */
const lists: Record<string, string> = {
  news: "topstories",
  newest: "newstories",
  best: "beststories",
  ask: "askstories",
  show: "showstories",
  jobs: "jobstories",
};

/** Stories per poll. Each is a request, so only the first page of a list is polled. */
const PAGE = 30;

/** A list of Hacker News, which serves as the community. The score is its points. */
export const hackernews: Connector = {
  platform: "hackernews",

  recognize({ hostname, pathname }) {
    if (hostname !== "news.ycombinator.com") return null;
    const list = pathname.slice(1) || "news";
    if (!Object.hasOwn(lists, list)) return null;
    return {
      url: `${home}/${list}`,
      name: list === "news" ? "Hacker News" : `Hacker News: ${list}`,
      community: list,
    };
  },

  async poll({ url, community }, ask) {
    const list = new URL(url).pathname.slice(1);
    const response = await ask(`${api}/${lists[list]}.json`, {
      accept: "application/json",
      unconditional: true,
    });
    const ids = jsonOf(response);
    if (!Array.isArray(ids)) throw new OriginError("The JSON response has no list of items.");
    const stories: unknown[] = [];
    for (const id of ids.filter(Number.isSafeInteger).slice(0, PAGE)) {
      const story = await ask(`${api}/item/${id}.json`, { accept: "application/json" });
      // A 304: the story is unchanged.
      if (story.status === 200) stories.push(jsonOf(story));
    }
    return stories.length > 0 ? gathered(response, stories, community ?? list) : unchangedResult(response);
  },
};

function gathered(response: { headers: Headers }, stories: unknown[], list: string): Promise<PollResult> {
  return pollResultOf(response, stories, {
    list: [],
    toRawItem: (story) => rawItemOf(story, list),
    isGone: (story) => at(story, "deleted") === true || at(story, "dead") === true,
    complete: false,
  });
}

function rawItemOf(story: unknown, list: string): RawItem {
  const id = at(story, "id");
  return {
    skip: Number.isSafeInteger(id) ? null : "no_key",
    key: id,
    permalink: `${home}/item?id=${id}`,
    link: at(story, "url"),
    author: at(story, "by"),
    title: at(story, "title"),
    body: plainOf(withWholeLinks(stringAt(story, "text")), home),
    community: list,
    score: at(story, "score"),
    commentCount: at(story, "descendants"),
    postedAt: at(story, "time"),
  };
}

/** Shows the whole target of a link whose text is only its beginning. */
function withWholeLinks(html: string | null): string | undefined {
  return html?.replace(/<a href="([^"]+)"[^>]*>([^<]+)\.\.\.<\/a>/g, (link, target: string, start: string) =>
    target.startsWith(start) ? `<a href="${target}">${target}</a>` : link,
  );
}
