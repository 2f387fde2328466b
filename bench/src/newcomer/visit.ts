import { countTokens } from "gpt-tokenizer";
import { type CurlRequest, requestsIn } from "./curl.ts";

export interface Visit {
  /** Each request with its status, and the tokens sent and received. */
  steps: Step[];
  /** The response when it read its post back. */
  read: string;
}

export interface Step {
  request: string;
  status: number;
  sent: number;
  received: number;
}

interface Instructions {
  post: CurlRequest;
  /** With `{id}` for the post's. */
  read: string;
}

const words = { title: "A newcomer's first post", body: "I found my way by reading." };

/**
 * Simulates an agent that knows only the service's address and its key: it reads `/llms.txt`, follows it to create a post, and
 * reads the post back. Throws if the document doesn't show how.
 */
export async function visit(baseUrl: string, key: string): Promise<Visit> {
  const steps: Step[] = [];
  const ask = async ({ method, url, headers, body }: CurlRequest): Promise<string> => {
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(/\$\{?\w+\}?/, key)]),
    );
    const sent = body ? JSON.stringify(body) : "";
    const response = await fetch(url, { method, headers: filled, ...(body && { body: sent }) });
    const text = await response.text();
    const request = `${method} ${new URL(url).pathname}`;
    const spoken = [request, ...Object.entries(headers).map((header) => header.join(": ")), sent].join("\n");
    steps.push({ request, status: response.status, sent: countTokens(spoken), received: countTokens(text) });
    if (response.ok) return text;
    throw new Error(`${request} returned ${response.status}: ${text}`);
  };
  const look = (url: string) => ask({ method: "GET", url, headers: {}, body: null });
  const { post, read } = findInstructions(await look(`${baseUrl}/llms.txt`));
  const created = JSON.parse(await ask({ ...post, body: words }));
  const again = read.replace("{id}", String(created.post.id));
  return { steps, read: await look(new URL(again, post.url).href) };
}

/** Finds the command that posts (it sends a key and a title) and the URL that reads a post (it contains a post id). */
function findInstructions(summary: string): Instructions {
  const post = requestsIn(summary).find(
    ({ headers, body }) => headers.authorization !== undefined && body !== null && "title" in body,
  );
  const read = /`(?:GET )?((?:https?:\/)?\/\S*posts\/\{id\}\S*?)`/.exec(summary)?.[1];
  if (!post || !read) throw new Error("/llms.txt doesn't show how to post, or where a post is read.");
  return { post, read };
}
