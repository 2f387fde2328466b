/** A long sequence of requests, recorded as text, so that the recordings of two services can be compared. */

/** Limits that the walkthrough should reach, or not reach. */
export const walkthroughSettings = {
  LIMIT_TIERS_PROBATION_WRITES: "1000",
  LIMIT_TIERS_PROBATION_COMMENTS: "3",
  LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: "2",
};

/**
 * Records a walkthrough of a service with an empty database: each request with its whole response. Values that differ between services
 * or runs are replaced by placeholders. Rolled-back writes leave gaps in ids, so they come last.
 */
export async function recordWalkthrough(baseUrl: string): Promise<string[]> {
  const recorder = new Recorder(baseUrl);
  await accounts(recorder);
  await posts(recorder);
  await feeds(recorder);
  await comments(recorder);
  await creators(recorder);
  await shop(recorder);
  await pages(recorder);
  await undone(recorder);
  return recorder.log;
}

async function accounts(recorder: Recorder): Promise<void> {
  const signUp = (username: string, password = "correct horse") =>
    recorder.go("anonymous", "POST /api/auth/signup", {
      username,
      email: `${username}@example.org`,
      password,
    });
  for (const name of ["ada", "bob", "eve"]) recorder.keep(name, await signUp(name));
  await signUp("ADA");
  await signUp("x y");
  await signUp("mallory", "short");
  recorder.keep(
    "ada",
    await recorder.go("anonymous", "POST /api/auth/login", { username: "Ada", password: "correct horse" }),
  );
  for (const name of ["anonymous", "ada", "bob"]) await recorder.go(name, "GET /api/auth/me");
  await recorder.go("ada", "PATCH /api/users/profile", { displayName: "Ada 🦊", bio: "Engines — und Öl" });
  recorder.keep("scout", await recorder.go("ada", "POST /api/agents", { username: "scout", bio: null }));
  recorder.keep("reader", await recorder.go("bob", "POST /api/keys", { name: "reads only" }));
  recorder.keep("poster", await recorder.go("bob", "POST /api/keys", { scopes: ["posts:write"] }));
  await recorder.go("bob", "POST /api/keys", { scopes: "posts:fly" });
  await recorder.go("scout", "POST /api/keys", {});
  for (const name of ["scout", "reader"]) await recorder.go(name, "GET /api/keys/self");
  await recorder.go("ada", "GET /api/agents");
  await recorder.go("bob", "GET /api/keys");
}

async function posts(recorder: Recorder): Promise<void> {
  const post = "POST /api/posts";
  for (const title of ["On engines", "On looms 100%_", "Straße nach İstanbul"])
    await recorder.go("ada", post, { title, body: `${title}, at length.` });
  const once = { "idempotency-key": '"once"' };
  await recorder.go("scout", post, { title: "Found by an agent" }, once);
  await recorder.go("scout", post, { title: "Found by an agent" }, once);
  await recorder.go("scout", post, { title: "Something else" }, once);
  await recorder.go("poster", post, { title: "A link", url: "https://example.org/a?b=c" });
  await recorder.go("bob", post, { title: "Declared", provenance: "ai_assisted" });
  await recorder.go("reader", post, { title: "Not allowed" });
  await recorder.go("anonymous", post, { title: "Not allowed" });
  await recorder.go("bob", post, { body: "No title" });
  await recorder.go("bob", post, { title: "x".repeat(301) });
  await recorder.go("bob", post, "{", { "content-type": "application/json" });
  await recorder.go("bob", post, "title=x", { "content-type": "text/plain" });
  await recorder.go("ada", "PATCH /api/posts/2", { title: "On better looms" });
  await recorder.go("bob", "PATCH /api/posts/2", { title: "On my looms" });
  await recorder.go("poster", "PATCH /api/posts/6", { body: "By a key" });
  for (const id of ["1", "2", "99", "x", "9007199254740993"])
    await recorder.go("bob", `GET /api/posts/${id}`);
  for (const name of ["ada", "bob", "scout"]) await recorder.go(name, "POST /api/posts/1/like");
  await recorder.go("bob", "POST /api/posts/1/like");
  await recorder.go("bob", "DELETE /api/posts/1/like");
  await recorder.go("eve", "POST /api/posts/2/save");
  await recorder.go("eve", "POST /api/posts/2/view");
  await recorder.go("poster", "POST /api/posts/2/view");
  await recorder.go("eve", "POST /api/posts/3/dismiss");
}

async function feeds(recorder: Recorder): Promise<void> {
  for (const query of ["limit=2", "limit=2&sort=hot"]) {
    let page: string | null = `/api/posts?${query}`;
    while (page) page = nextOf(await recorder.go("anonymous", `GET ${page}`));
  }
  const queries = ["q=ON+looms", "q=%25_", "q=strasse", "q=istanbul", "q=at+length+stra", "q=nothing"];
  const filters = [
    "author=ada",
    "provenance=human",
    "provenance=ai_generated,ai_assisted",
    "platform=reddit",
  ];
  const refused = ["limit=0", "limit=51", "sort=new", "cursor=x", "saved=1"];
  for (const query of [...queries, ...filters, ...refused])
    await recorder.go("anonymous", `GET /api/posts?${query}`);
  await recorder.go("eve", "GET /api/posts?saved=1");
  await recorder.go("eve", "GET /api/posts");
}

async function comments(recorder: Recorder): Promise<void> {
  const comment = "POST /api/posts/1/comments";
  await recorder.go("bob", comment, { body: "Well said." });
  await recorder.go("scout", comment, { body: "So it is.", parentId: 1 });
  await recorder.go("eve", comment, { body: "Is it?", parentId: 99 });
  await recorder.go("eve", comment, { body: "" });
  await recorder.go("reader", comment, { body: "Mute" });
  await recorder.go("eve", "POST /api/posts/99/comments", { body: "To nobody" });
  await recorder.go("ada", "POST /api/comments/1/like");
  await recorder.go("bob", "DELETE /api/comments/1");
  await recorder.go("eve", "GET /api/posts/1/comments");
  for (const name of ["ada", "bob"]) {
    await recorder.go(name, "GET /api/notifications");
    await recorder.go(name, "PATCH /api/notifications");
    await recorder.go(name, "GET /api/notifications/count");
  }
}

async function creators(recorder: Recorder): Promise<void> {
  const follow = { platform: "native", author: "ada" };
  await recorder.go("bob", "POST /api/follows", follow);
  await recorder.go("bob", "POST /api/follows", { ...follow, author: "nobody_here" });
  await recorder.go("ada", "POST /api/follows", follow);
  await recorder.go("bob", "GET /api/follows");
  await recorder.go("bob", "GET /api/posts?followed=1&limit=2");
  await recorder.go("bob", "DELETE /api/follows", follow);
  await recorder.go("anonymous", "GET /api/creators/search?q=A");
  await recorder.go("ada", "GET /api/creators/me/analytics");
  await recorder.go("eve", "POST /api/live", { title: "Weaving now" });
  await recorder.go("anonymous", "GET /api/live");
}

async function shop(recorder: Recorder): Promise<void> {
  const pot = { title: "Pot", url: "https://example.org/pot", price: "9.90", category: "Kitchen" };
  await recorder.go("ada", "POST /api/products", pot);
  await recorder.go("scout", "POST /api/products", { ...pot, price: 9.9, imageUrl: null });
  await recorder.go("poster", "POST /api/products", pot);
  await recorder.go("ada", "POST /api/posts/1/products", { productId: 1 });
  await recorder.go("bob", "POST /api/posts/1/products", { productId: 1 });
  await recorder.go("ada", "PATCH /api/products", { id: 1, title: "Better pot", price: null });
  await recorder.go("anonymous", "GET /out/1?post=1");
  await recorder.go("anonymous", "GET /out/99");
  for (const name of ["anonymous", "ada"]) await recorder.go(name, "GET /api/products?mine=1");
  await recorder.go("anonymous", "GET /api/products?limit=1");
  await recorder.go("anonymous", "GET /api/posts/1");
  await recorder.go("ada", "DELETE /api/products", { id: 1 });
  await recorder.go("ada", "GET /api/creators/me/analytics");
}

/** HTTP features: methods, ETags, documents, unknown addresses. */
async function pages(recorder: Recorder): Promise<void> {
  const { headers } = await recorder.go("ada", "GET /api/posts?limit=3");
  const etag = headers.get("etag") ?? "";
  for (const tag of [etag, '"other"', `"other", ${etag}`])
    await recorder.go("ada", "GET /api/posts?limit=3", undefined, { "if-none-match": tag });
  await recorder.go("ada", "HEAD /api/posts?limit=3");
  await recorder.go("ada", "HEAD /api/posts/99");
  await recorder.go("anonymous", "GET /api/openapi.json");
  await recorder.go("anonymous", "GET /api/nothing/%F0%9F%A6%8A?q=1");
  await recorder.go("ada", "PUT /api/posts", { title: "Put" });
  await recorder.go("anonymous", "OPTIONS /api/posts");
  for (const path of ["/healthz", "/readyz"]) await recorder.go("anonymous", `GET ${path}`);
  const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  await recorder.go("ada", "POST /api/posts", { title: "Forged" }, elsewhere);
  await recorder.go("anonymous", "GET /api/posts", undefined, { authorization: "Bearer tandem_live_no" });
  await recorder.go("bob", "DELETE /api/keys?id=2");
  await recorder.go("reader", "GET /api/posts?limit=1");
  await recorder.go("eve", "POST /api/auth/logout");
  await recorder.go("eve", "GET /api/auth/me");
}

/** Writes that are rolled back, by a dry run or a limit. */
async function undone(recorder: Recorder): Promise<void> {
  await recorder.go("scout", "POST /api/posts/1/comments", { body: "A second one" });
  await recorder.go("scout", "POST /api/posts/1/comments", { body: "The third, and the last" });
  await recorder.go("scout", "POST /api/posts/1/comments", { body: "One too many" });
  await recorder.go("ada", "DELETE /api/posts/3");
  await recorder.go("ada", "POST /api/posts?dryRun=1", { title: "Not to be" });
  await recorder.go("bob", "POST /api/posts", { title: "Nobody's product", productIds: [99] });
  await recorder.go("ada", "POST /api/products?dryRun=1", { title: "Pan", url: "https://example.org/pan" });
  await recorder.go("ada", "DELETE /api/posts/1?dryRun=1");
  await recorder.go("bob", "POST /api/posts/1/like?dryRun=1");
  await recorder.go("bob", "POST /api/posts?dryRun=2", { title: "Hardly" });
  await recorder.go("bob", "GET /api/posts");
  for (let i = 0; i < 3; i++)
    await recorder.go("anonymous", "POST /api/auth/login", { username: "bob", password: "a guess" });
  await recorder.go("anonymous", "POST /api/auth/login", { username: "bob", password: "correct horse" });
  await recorder.go("ada", "DELETE /api/agents", { id: 4 });
  await recorder.go("scout", "GET /api/auth/me");
  await recorder.go("bob", "GET /api/posts/1");
}

/** The next page from the `Link` header. */
function nextOf({ headers }: { headers: Headers }): string | null {
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "") ?? [];
  return next ? next.slice(new URL(next).origin.length) : null;
}

interface RecordedResponse {
  headers: Headers;
  text: string;
}

class Recorder {
  readonly log: string[] = [];
  readonly #baseUrl: string;
  readonly #credentials = new Map<string, Record<string, string>>([["anonymous", {}]]);

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Stores the response's session or key as the credential of `name`. */
  keep(name: string, { headers, text }: RecordedResponse): void {
    const [cookie] = headers.getSetCookie().map((one) => String(one.split(";")[0]));
    const secret: unknown = JSON.parse(text).secret;
    this.#credentials.set(name, cookie ? { cookie } : { authorization: `Bearer ${secret}` });
  }

  /** Sends and records one request. An object is sent as JSON, text as it is. */
  async go(
    name: string,
    step: string,
    body?: object | string,
    more: Record<string, string> = {},
  ): Promise<RecordedResponse> {
    const [method = "", path = ""] = step.split(" ");
    const credential = this.#credentials.get(name);
    if (!credential) throw new Error(`no credential for ${name}`);
    // A proxy may compress; ask it not to.
    const plain = { "accept-encoding": "identity" };
    const headers: Record<string, string> = { ...plain, ...credential, ...more };
    if (typeof body === "object") headers["content-type"] = "application/json";
    const init: RequestInit = { method, headers, redirect: "manual" };
    if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
    const fetched = await fetch(this.#baseUrl + path, init);
    const response = { headers: fetched.headers, text: await fetched.text() };
    const lines = [`${name}: ${step}`, fetched.status, ...linesOf(fetched.headers), response.text];
    this.log.push(this.#plain(lines.join("\n")));
    return response;
  }

  #plain(text: string): string {
    return (
      text
        .replaceAll(this.#baseUrl, "{base}")
        .replace(/tandem_(session|device)=[\w-]+/g, "tandem_$1={token}")
        .replace(/^(x-request-id: ).*/gm, "$1{id}")
        .replace(/tandem_live_\w+/g, "{secret}")
        // A key's last use is stored asynchronously.
        .replace(/^content-length: \d+$(?=.*"lastUsedAt")/ms, "content-length: {length}")
        .replace(/"lastUsedAt":(null|"[^"]*")/g, '"lastUsedAt":{when}')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "{time}")
        .replace(/W\/"[\w-]+"/g, "{tag}")
        .replace(/^((?:ratelimit-reset|retry-after): )\d+$/gm, "$1{seconds}")
        .replace(/(;t=)\d+/g, "$1{seconds}")
        .replace(/(in )\d+( seconds?\.)/g, "$1{seconds}$2")
        .replace(/\(\d+ s\)/g, "({seconds} s)")
    );
  }
}

/** Headers that depend on the connection or the time. */
const PASSING = /^(connection|keep-alive|date|transfer-encoding)$/;

function linesOf(headers: Headers): string[] {
  return [...headers].filter(([name]) => !PASSING.test(name)).map(([name, value]) => `${name}: ${value}`);
}
