/** A long walk through the service, told step by step, so that the tellings of two services can be compared. */

/** Limits that the walk needs to be in the way of, or out of. */
export const walkSettings = {
  LIMIT_TIERS_PROBATION_WRITES: "1000",
  LIMIT_TIERS_PROBATION_COMMENTS: "3",
  LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: "2",
};

/**
 * Walks through a service whose database is empty. Each step is told as the request and all that came back; what
 * differs from one service to another, or from one second to the next, is told by its name instead. Ids are counted
 * by the database, with a gap for each write that is undone: so those that will be come last.
 */
export async function walk(baseUrl: string): Promise<string[]> {
  const walker = new Walker(baseUrl);
  await accounts(walker);
  await posts(walker);
  await feeds(walker);
  await comments(walker);
  await creators(walker);
  await shop(walker);
  await pages(walker);
  await undone(walker);
  return walker.told;
}

async function accounts(walker: Walker): Promise<void> {
  const signUp = (username: string, password = "correct horse") =>
    walker.go("nobody", "POST /api/auth/signup", { username, email: `${username}@example.org`, password });
  for (const name of ["ada", "bob", "eve"]) walker.keep(name, await signUp(name));
  await signUp("ADA");
  await signUp("x y");
  await signUp("mallory", "short");
  walker.keep(
    "ada",
    await walker.go("nobody", "POST /api/auth/login", { username: "Ada", password: "correct horse" }),
  );
  for (const name of ["nobody", "ada", "bob"]) await walker.go(name, "GET /api/auth/me");
  await walker.go("ada", "PATCH /api/users/profile", { displayName: "Ada 🦊", bio: "Engines — und Öl" });
  walker.keep("scout", await walker.go("ada", "POST /api/agents", { username: "scout", bio: null }));
  walker.keep("reader", await walker.go("bob", "POST /api/keys", { name: "reads only" }));
  walker.keep("poster", await walker.go("bob", "POST /api/keys", { scopes: ["posts:write"] }));
  await walker.go("bob", "POST /api/keys", { scopes: "posts:fly" });
  await walker.go("scout", "POST /api/keys", {});
  for (const name of ["scout", "reader"]) await walker.go(name, "GET /api/keys/self");
  await walker.go("ada", "GET /api/agents");
  await walker.go("bob", "GET /api/keys");
}

async function posts(walker: Walker): Promise<void> {
  const post = "POST /api/posts";
  for (const title of ["On engines", "On looms 100%_", "Straße nach İstanbul"])
    await walker.go("ada", post, { title, body: `${title}, at length.` });
  const once = { "idempotency-key": '"once"' };
  await walker.go("scout", post, { title: "Found by an agent" }, once);
  await walker.go("scout", post, { title: "Found by an agent" }, once);
  await walker.go("scout", post, { title: "Something else" }, once);
  await walker.go("poster", post, { title: "A link", url: "https://example.org/a?b=c" });
  await walker.go("bob", post, { title: "Declared", provenance: "ai_assisted" });
  await walker.go("reader", post, { title: "Not allowed" });
  await walker.go("nobody", post, { title: "Not allowed" });
  await walker.go("bob", post, { body: "No title" });
  await walker.go("bob", post, { title: "x".repeat(301) });
  await walker.go("bob", post, "{", { "content-type": "application/json" });
  await walker.go("bob", post, "title=x", { "content-type": "text/plain" });
  await walker.go("ada", "PATCH /api/posts/2", { title: "On better looms" });
  await walker.go("bob", "PATCH /api/posts/2", { title: "On my looms" });
  await walker.go("poster", "PATCH /api/posts/6", { body: "By a key" });
  for (const id of ["1", "2", "99", "x", "9007199254740993"]) await walker.go("bob", `GET /api/posts/${id}`);
  for (const name of ["ada", "bob", "scout"]) await walker.go(name, "POST /api/posts/1/like");
  await walker.go("bob", "POST /api/posts/1/like");
  await walker.go("bob", "DELETE /api/posts/1/like");
  await walker.go("eve", "POST /api/posts/2/save");
  await walker.go("eve", "POST /api/posts/2/view");
  await walker.go("poster", "POST /api/posts/2/view");
  await walker.go("eve", "POST /api/posts/3/dismiss");
}

async function feeds(walker: Walker): Promise<void> {
  for (const query of ["limit=2", "limit=2&sort=hot"]) {
    let page: string | null = `/api/posts?${query}`;
    while (page) page = nextOf(await walker.go("nobody", `GET ${page}`));
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
    await walker.go("nobody", `GET /api/posts?${query}`);
  await walker.go("eve", "GET /api/posts?saved=1");
  await walker.go("eve", "GET /api/posts");
}

async function comments(walker: Walker): Promise<void> {
  const comment = "POST /api/posts/1/comments";
  await walker.go("bob", comment, { body: "Well said." });
  await walker.go("scout", comment, { body: "So it is.", parentId: 1 });
  await walker.go("eve", comment, { body: "Is it?", parentId: 99 });
  await walker.go("eve", comment, { body: "" });
  await walker.go("reader", comment, { body: "Mute" });
  await walker.go("eve", "POST /api/posts/99/comments", { body: "To nobody" });
  await walker.go("ada", "POST /api/comments/1/like");
  await walker.go("bob", "DELETE /api/comments/1");
  await walker.go("eve", "GET /api/posts/1/comments");
  for (const name of ["ada", "bob"]) {
    await walker.go(name, "GET /api/notifications");
    await walker.go(name, "PATCH /api/notifications");
    await walker.go(name, "GET /api/notifications/count");
  }
}

async function creators(walker: Walker): Promise<void> {
  const follow = { platform: "native", author: "ada" };
  await walker.go("bob", "POST /api/follows", follow);
  await walker.go("bob", "POST /api/follows", { ...follow, author: "nobody_here" });
  await walker.go("ada", "POST /api/follows", follow);
  await walker.go("bob", "GET /api/follows");
  await walker.go("bob", "GET /api/posts?followed=1&limit=2");
  await walker.go("bob", "DELETE /api/follows", follow);
  await walker.go("nobody", "GET /api/creators/search?q=A");
  await walker.go("ada", "GET /api/creators/me/analytics");
  await walker.go("eve", "POST /api/live", { title: "Weaving now" });
  await walker.go("nobody", "GET /api/live");
}

async function shop(walker: Walker): Promise<void> {
  const pot = { title: "Pot", url: "https://example.org/pot", price: "9.90", category: "Kitchen" };
  await walker.go("ada", "POST /api/products", pot);
  await walker.go("scout", "POST /api/products", { ...pot, price: 9.9, imageUrl: null });
  await walker.go("poster", "POST /api/products", pot);
  await walker.go("ada", "POST /api/posts/1/products", { productId: 1 });
  await walker.go("bob", "POST /api/posts/1/products", { productId: 1 });
  await walker.go("ada", "PATCH /api/products", { id: 1, title: "Better pot", price: null });
  await walker.go("nobody", "GET /out/1?post=1");
  await walker.go("nobody", "GET /out/99");
  for (const name of ["nobody", "ada"]) await walker.go(name, "GET /api/products?mine=1");
  await walker.go("nobody", "GET /api/products?limit=1");
  await walker.go("nobody", "GET /api/posts/1");
  await walker.go("ada", "DELETE /api/products", { id: 1 });
  await walker.go("ada", "GET /api/creators/me/analytics");
}

/** What is between the lines: methods, tags, documents, and what isn't there. */
async function pages(walker: Walker): Promise<void> {
  const { headers } = await walker.go("ada", "GET /api/posts?limit=3");
  const etag = headers.get("etag") ?? "";
  for (const tag of [etag, '"other"', `"other", ${etag}`])
    await walker.go("ada", "GET /api/posts?limit=3", undefined, { "if-none-match": tag });
  await walker.go("ada", "HEAD /api/posts?limit=3");
  await walker.go("ada", "HEAD /api/posts/99");
  await walker.go("nobody", "GET /api/openapi.json");
  await walker.go("nobody", "GET /api/nothing/%F0%9F%A6%8A?q=1");
  await walker.go("ada", "PUT /api/posts", { title: "Put" });
  await walker.go("nobody", "OPTIONS /api/posts");
  for (const path of ["/healthz", "/readyz"]) await walker.go("nobody", `GET ${path}`);
  const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  await walker.go("ada", "POST /api/posts", { title: "Forged" }, elsewhere);
  await walker.go("nobody", "GET /api/posts", undefined, { authorization: "Bearer tandem_live_no" });
  await walker.go("bob", "DELETE /api/keys?id=2");
  await walker.go("reader", "GET /api/posts?limit=1");
  await walker.go("eve", "POST /api/auth/logout");
  await walker.go("eve", "GET /api/auth/me");
}

/** Writes that are undone, by wish or by a limit; each table is written to once. */
async function undone(walker: Walker): Promise<void> {
  await walker.go("scout", "POST /api/posts/1/comments", { body: "A second one" });
  await walker.go("scout", "POST /api/posts/1/comments", { body: "The third, and the last" });
  await walker.go("scout", "POST /api/posts/1/comments", { body: "One too many" });
  await walker.go("ada", "DELETE /api/posts/3");
  await walker.go("ada", "POST /api/posts?dryRun=1", { title: "Not to be" });
  await walker.go("bob", "POST /api/posts", { title: "Nobody's product", productIds: [99] });
  await walker.go("ada", "POST /api/products?dryRun=1", { title: "Pan", url: "https://example.org/pan" });
  await walker.go("ada", "DELETE /api/posts/1?dryRun=1");
  await walker.go("bob", "POST /api/posts/1/like?dryRun=1");
  await walker.go("bob", "POST /api/posts?dryRun=2", { title: "Hardly" });
  await walker.go("bob", "GET /api/posts");
  for (let i = 0; i < 3; i++)
    await walker.go("nobody", "POST /api/auth/login", { username: "bob", password: "a guess" });
  await walker.go("nobody", "POST /api/auth/login", { username: "bob", password: "correct horse" });
  await walker.go("ada", "DELETE /api/agents", { id: 4 });
  await walker.go("scout", "GET /api/auth/me");
  await walker.go("bob", "GET /api/posts/1");
}

/** Where `Link` says that the list goes on. */
function nextOf({ headers }: { headers: Headers }): string | null {
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "") ?? [];
  return next ? next.slice(new URL(next).origin.length) : null;
}

interface Answer {
  headers: Headers;
  text: string;
}

class Walker {
  readonly told: string[] = [];
  readonly #baseUrl: string;
  readonly #credentials = new Map<string, Record<string, string>>([["nobody", {}]]);

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Whoever got this answer goes by its session or its key from now on. */
  keep(name: string, { headers, text }: Answer): void {
    const [cookie] = headers.getSetCookie().map((one) => String(one.split(";")[0]));
    const secret: unknown = JSON.parse(text).secret;
    this.#credentials.set(name, cookie ? { cookie } : { authorization: `Bearer ${secret}` });
  }

  /** One step: an object goes as JSON, text as it is. */
  async go(
    name: string,
    step: string,
    body?: object | string,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const [method = "", path = ""] = step.split(" ");
    const credential = this.#credentials.get(name);
    if (!credential) throw new Error(`nobody is called ${name}`);
    // Whether a proxy compresses is its own affair.
    const plain = { "accept-encoding": "identity" };
    const headers: Record<string, string> = { ...plain, ...credential, ...more };
    if (typeof body === "object") headers["content-type"] = "application/json";
    const init: RequestInit = { method, headers, redirect: "manual" };
    if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(this.#baseUrl + path, init);
    const answer = { headers: response.headers, text: await response.text() };
    const lines = [`${name}: ${step}`, response.status, ...linesOf(response.headers), answer.text];
    this.told.push(this.#plain(lines.join("\n")));
    return answer;
  }

  #plain(text: string): string {
    return (
      text
        .replaceAll(this.#baseUrl, "{base}")
        .replace(/tandem_session=[\w-]+/g, "tandem_session={token}")
        .replace(/tandem_live_\w+/g, "{secret}")
        // A key's use is noted beside the request, sooner or later.
        .replace(/^content-length: \d+$(?=.*"lastUsedAt")/ms, "content-length: {length}")
        .replace(/"lastUsedAt":(null|"[^"]*")/g, '"lastUsedAt":{when}')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "{time}")
        .replace(/W\/"[\w-]+"/g, "{tag}")
        .replace(/^((?:ratelimit-reset|retry-after): )\d+$/gm, "$1{seconds}")
        .replace(/(;t=)\d+/g, "$1{seconds}")
        .replace(/(in )\d+( seconds?\.)/g, "$1{seconds}$2")
    );
  }
}

/** The answer's headers, but for those that are between two ends of one line, or tell the time. */
const PASSING = /^(connection|keep-alive|date|transfer-encoding)$/;

function linesOf(headers: Headers): string[] {
  return [...headers].filter(([name]) => !PASSING.test(name)).map(([name, value]) => `${name}: ${value}`);
}
