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
  /** Asks for an account. */
  ask: CurlRequest;
  /** Fetches the key. */
  claim: CurlRequest;
  post: CurlRequest;
  /** With `{id}` for the post's. */
  read: string;
}

/** The person whom the agent works for: opens the link and approves the request with this code. */
export type Approve = (code: string) => Promise<unknown>;

const words = { title: "A newcomer's first post", body: "I found my way by reading." };

/**
 * Simulates an agent that knows only the service's address: it reads `/llms.txt`, follows it to get a key and to create a post, and
 * reads the post back. Throws if the document doesn't show how.
 */
export async function visit(baseUrl: string, username: string, approve: Approve): Promise<Visit> {
  const steps: Step[] = [];
  let key = "";
  const send = async ({ method, url, headers, body }: CurlRequest): Promise<string> => {
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
  const look = (url: string) => send({ method: "GET", url, headers: {}, body: null });
  const { ask, claim, post, read } = findInstructions(await look(`${baseUrl}/llms.txt`));
  const { request, token } = JSON.parse(await send({ ...ask, body: { username } }));
  await approve(request.code);
  key = JSON.parse(await send({ ...claim, body: { token } })).secret;
  const created = JSON.parse(await send({ ...post, body: words }));
  const again = read.replace("{id}", String(created.post.id));
  return { steps, read: await look(new URL(again, post.url).href) };
}

/** Finds the commands by what they send, and the URL that reads a post (it contains a post id). */
function findInstructions(summary: string): Instructions {
  const requests = requestsIn(summary);
  const sending = (field: string) => requests.find(({ body }) => body !== null && field in body);
  const [ask, claim, post] = [sending("username"), sending("token"), sending("title")];
  const read = /`(?:GET )?((?:https?:\/)?\/\S*posts\/\{id\}\S*?)`/.exec(summary)?.[1];
  if (!ask || !claim || !post?.headers.authorization || !read)
    throw new Error("/llms.txt doesn't show how to get a key, how to post, or where a post is read.");
  return { ask, claim, post, read };
}
