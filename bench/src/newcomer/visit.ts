import { countTokens } from "gpt-tokenizer";
import { type Command, commandsIn } from "./curl.ts";

export interface Visit {
  /** Each request with what came back, and the tokens of both. */
  steps: Step[];
  /** What it found under the address where it read its post again. */
  read: string;
}

export interface Step {
  request: string;
  status: number;
  sent: number;
  received: number;
}

interface Way {
  post: Command;
  /** With `{id}` for the post's. */
  read: string;
}

const words = { title: "A newcomer's first post", body: "I found my way by reading." };

/**
 * Plays an agent that knows an address and has a key, and nothing else: it reads what the service says of itself, does
 * what is written there, and reads its post again. Throws where a document leads nowhere.
 */
export async function visit(baseUrl: string, key: string): Promise<Visit> {
  const steps: Step[] = [];
  const ask = async ({ method, url, headers, body }: Command): Promise<string> => {
    const told = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(/\$\{?\w+\}?/, key)]),
    );
    const sent = body ? JSON.stringify(body) : "";
    const response = await fetch(url, { method, headers: told, ...(body && { body: sent }) });
    const text = await response.text();
    const request = `${method} ${new URL(url).pathname}`;
    const spoken = [request, ...Object.entries(headers).map((header) => header.join(": ")), sent].join("\n");
    steps.push({ request, status: response.status, sent: countTokens(spoken), received: countTokens(text) });
    if (response.ok) return text;
    throw new Error(`${request} answered ${response.status}: ${text}`);
  };
  const look = (url: string) => ask({ method: "GET", url, headers: {}, body: null });
  const { post, read } = wayIn(await look(`${baseUrl}/llms.txt`));
  const made = JSON.parse(await ask({ ...post, body: words }));
  const again = read.replace("{id}", String(made.post.id));
  return { steps, read: await look(new URL(again, post.url).href) };
}

/** What posts is the command that carries a key and a title; what reads is the address with a post's id in it. */
function wayIn(summary: string): Way {
  const post = commandsIn(summary).find(
    ({ headers, body }) => headers.authorization !== undefined && body !== null && "title" in body,
  );
  const read = /`(?:GET )?((?:https?:\/)?\/\S*posts\/\{id\}\S*?)`/.exec(summary)?.[1];
  if (!post || !read) throw new Error("/llms.txt doesn't show how to post, or where a post is read.");
  return { post, read };
}
