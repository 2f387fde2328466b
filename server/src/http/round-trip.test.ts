import { isWrite, type Operation } from "@tandem/contract/operation";
import { type OperationName, operationList, operations } from "@tandem/contract/operations";
import { type Inputs, makeFullUser } from "@tandem/testing/inputs";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

type Fields = Record<string, unknown>;

/** Where each resource that an operation works on can be read: found here by hand, so that the contract's own rule is tested. */
const readers: Record<string, OperationName> = {
  "/api/posts/{id}": "readPost",
  "/api/admin/posts/{id}": "readPost",
  "/api/comments/{id}": "readComment",
  "/api/admin/comments/{id}": "readComment",
  "/api/drafts/{id}": "readDraft",
  "/api/products": "listProducts",
  "/api/keys": "listKeys",
  "/api/agents": "listAgents",
  "/api/agents/{id}": "listAgents",
  "/api/follows": "listFollows",
  "/api/blocks": "listBlocks",
  "/api/friends": "listFriends",
  "/api/friends/requests/{id}": "listFriendRequests",
  "/api/webhooks": "listWebhooks",
  "/api/webhooks/{id}": "listWebhooks",
  "/api/sessions": "listSessions",
  "/api/invitations/{id}": "listInvitations",
  "/api/push/subscriptions": "listPushSubscriptions",
  "/api/push/subscriptions/{id}": "listPushSubscriptions",
  "/api/users/me/passkeys": "listPasskeys",
  "/api/agent-requests/{code}": "readAgentRequest",
  "/api/admin/users/{id}": "readAccount",
  "/api/admin/sources/{id}": "listSources",
  "/api/admin/signups/{id}": "listSignUps",
  "/api/admin/denied-links": "listDeniedLinks",
};

/** The reader of what an operation works on: by its path, or else by what its path begins with. */
function readerOf({ path, method }: Operation): OperationName | undefined {
  const creates = method === "POST" && operationList.some((op) => op.method === "GET" && op.path === path);
  if (creates) return undefined;
  const base = Object.keys(readers)
    .filter((start) => path === start || (start.includes("{") && path.startsWith(`${start}/`)))
    .sort((a, b) => b.length - a.length)[0];
  return base === undefined ? undefined : readers[base];
}

function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return typeof value === "object" && value !== null ? [value as Fields] : [];
}

const cases = operationList
  // What is removed can't be read.
  .filter((op) => isWrite(op) && readerOf(op) && op.name !== "restorePost")
  .map((op) => [op.name, op] as const);

describe("a resource that is sent back as it was read", () => {
  let tandem: Tandem;
  let user: Awaited<ReturnType<typeof makeFullUser>>;
  let inputs: Inputs;
  beforeAll(async () => {
    tandem = await startTandem();
    user = await makeFullUser(tandem);
    inputs = user.inputs;
    await user.person.follow(inputs.unfollow);
  });
  afterAll(() => tandem.stop());

  test.each(cases)("%s takes it", async (_, op) => {
    const { person } = user;
    const input = inputs[op.name as OperationName] as Fields;
    const reader = operations[readerOf(op) as OperationName];
    const own = Object.keys(reader.query.properties).includes("mine") ? { mine: "1" } : {};
    const read = await person.call(
      reader.name as OperationName,
      {
        ...own,
        ...Object.fromEntries(Object.entries(input).filter(([name]) => name in reader.params.properties)),
      } as never,
    );
    expect(read.status).toBe(200);
    const identity = Object.entries(input).filter(([name]) =>
      op.path.includes("{") ? name in op.params.properties : /^(id|author|username|host)$/.test(name),
    );
    const found = Object.values(read.body)
      .flatMap(objectsIn)
      .find((resource) => identity.every(([name, value]) => !(name in resource) || resource[name] === value));
    expect(found).toBeDefined();
    const body = Object.fromEntries(
      Object.entries(input).filter(([name]) => !(name in op.params.properties)),
    );
    const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    const { status, body: response } = await sendRequest(tandem.baseUrl, {
      method: op.method,
      path: `${path}?dryRun=1`,
      headers: { ...person.options.headers, "content-type": "application/json" },
      body: JSON.stringify({ ...found, ...body }),
    });
    const refusal = status === 400 ? response.error : "";
    expect(refusal).not.toMatch(/^There is no field|can't be set here/);
  });

  test("is not a way to lose a change", async () => {
    const { person } = user;
    const send = async (method: string, path: string, body: object) => {
      const headers = { ...person.options.headers, "content-type": "application/json" };
      const response = await sendRequest(tandem.baseUrl, {
        method,
        path,
        headers,
        body: JSON.stringify(body),
      });
      return `${response.status} ${response.body.field ?? ""}`;
    };
    const { draft } = await person.createDraft({ title: "Looms", provenance: "ai_assisted" });
    // A draft that is published isn't in the response: it is compared with what it was.
    const publish = (body: object) => send("POST", `/api/drafts/${draft.id}/publish?dryRun=1`, body);
    expect(await publish(draft)).toBe("200 ");
    expect(await publish({ ...draft, title: "Other looms" })).toBe("400 title");
    const { post } = await person.createPost({ title: "Looms again" });
    const key = await tandem.as.key(["posts:write"], person);
    const edit = async (body: object) => {
      const headers = { authorization: `Bearer ${key.options.key}`, "content-type": "application/json" };
      const path = `/api/posts/${post.id}`;
      const response = await sendRequest(tandem.baseUrl, {
        method: "PATCH",
        path,
        headers,
        body: JSON.stringify(body),
      });
      const { field, post: edited } = response.body as { field?: string; post?: { provenance: string } };
      return [response.status, field ?? edited?.provenance];
    };
    // The key's edit stamps the post, so it is sent back with the label that it had.
    expect(await edit({ ...post, provenance: "ai_assisted" })).toEqual([400, "provenance"]);
    expect(await edit({ ...post, title: "Third" })).toEqual([200, "ai_generated"]);
    expect(await edit({ ...post, provenance: "human" })).toEqual([400, "provenance"]);
    // A post's fields mean nothing to a comment, and a list isn't one resource.
    expect(await send("POST", `/api/posts/${post.id}/comments`, { title: "x", body: "Hi" })).toBe(
      "400 title",
    );
    expect(await send("PATCH", "/api/notifications", { id: 1, read: true })).toBe("400 id");
  });
});
