import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { drawPicture } from "@tandem/testing/pictures";
import { freePort } from "@tandem/testing/ports";
import { programOf } from "@tandem/testing/programs";
import { startTandem } from "@tandem/testing/tandem";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { pythonModules } from "./python.ts";

const folder = fileURLToPath(new URL("../../python", import.meta.url));
const execute = promisify(execFile);

/** Update with `npx vitest run client/src/publish/python.slow.test.ts --update`. */
test.each(Object.entries(pythonModules()))("the Python client's %s is the contract's", async (name, text) => {
  await expect(text).toMatchFileSnapshot(`../../python/tandem/${name}`);
});

async function runPython(script: string, args: readonly string[]): Promise<unknown> {
  const python = await programOf("python3");
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await execute(python, ["-c", script, ...args], { env });
  return JSON.parse(stdout);
}

/** A server that ends the connection in the middle of its response. */
async function listenBroken() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("{", () => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

const story = `
import json, sys, typing
from tandem import PendingApproval, Tandem, TandemError
base_url, key, waiting_key, picture, nowhere, broken = sys.argv[1:]
tandem = Tandem(base_url, key)

def error_of(call):
    try:
        call()
    except (TandemError, ValueError) as error:
        return [type(error).__name__, getattr(error, "code", None), getattr(error, "field", None), str(error)]

def fits(value, hint):
    """Whether a response is as its type says."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint)
        return isinstance(value, dict) and set(value) <= set(hints) and hint.__required_keys__ <= set(value) and all(
            fits(value[name], hints[name]) for name in value)
    if origin is typing.Literal:
        return value in args
    if origin is list:
        return isinstance(value, list) and all(fits(item, args[0]) for item in value)
    if args:
        return any(fits(value, arg) for arg in args)
    return isinstance(value, (int, float) if hint is float else hint)

def misfits(**calls):
    return [name for name, value in calls.items()
            if not fits(value, typing.get_type_hints(getattr(Tandem, name))["return"])]

title = "Grüße\\r\\n".strip()
ids = [tandem.create_post(title=f"{title} {i}")["post"]["id"] for i in range(5)]
drawn = tandem.create_post(title="Drawn", image=picture, alt='A "picture"')["post"]
several = tandem.create_post(title="Both", image=[picture, picture], alts=[None, "Again"], dry_run=True)["post"]
with open(picture, "rb") as file:
    avatar = tandem.set_avatar(image=file.read())
edited = tandem.edit_post(id=ids[0], body="More")["post"]
cleared = tandem.edit_post(id=ids[0], body=None)["post"]
dry = tandem.create_post(title="Never", dry_run=True)
first = tandem.create_comment(id=ids[0], body="Once", idempotency_key="k")["comment"]["id"]
again = tandem.create_comment(id=ids[0], body="Once", idempotency_key="k")["comment"]["id"]
print(json.dumps({
    "misfits": misfits(
        create_post=dry, list_posts=tandem.list_posts(), list_comments=tandem.list_comments(id=ids[0]),
        me=tandem.me(), read_own_key=tandem.read_own_key(), analytics=tandem.analytics(), like_post=tandem.like_post(id=ids[1]),
        list_notifications=tandem.list_notifications(), list_products=tandem.list_products(),
        create_draft=tandem.create_draft(title="Later"), list_drafts=tandem.list_drafts(),
        read_transparency=tandem.read_transparency(), request_agent=Tandem(base_url).request_agent(username="newcomer"),
    ),
    "posts": [post["title"] for post in tandem.pages(tandem.list_posts, limit=2)],
    "drawn": [drawn["mediaType"], drawn["alt"], drawn["provenance"]],
    "several": [shown["alt"] for shown in several["pictures"]],
    "avatar": avatar["user"]["avatarUrl"] is not None,
    "bodies": [edited["body"], cleared["body"]],
    "dry": [dry["dryRun"], dry["post"]["title"]],
    "once": first == again,
    "queries": [len(tandem.list_posts(saved=value, q=None)["posts"]) for value in (True, False, None)],
    "errors": [
        error_of(lambda: tandem.like_post(id=999_999)),
        error_of(lambda: tandem.create_post(title="")),
        error_of(lambda: tandem.read_post(id="..")),
        error_of(lambda: tandem.create_post(title="x", image="/nowhere.png")),
        error_of(lambda: Tandem(base_url, waiting_key).create_post(title="May I?")),
        error_of(lambda: Tandem(nowhere, max_wait=0).list_posts()),
        error_of(lambda: Tandem("localhost:3000")),
        error_of(lambda: Tandem(base_url, key + "\\n")),
        error_of(lambda: Tandem(broken, max_wait=0).list_posts()),
    ],
}))
`;

test("the Python client publishes, reads, sends files, and raises errors that say what to do", async () => {
  await using tandem = await startTandem();
  const person = await tandem.as.human();
  const [agent, waiting] = [await tandem.as.agent(person), await tandem.as.agent(person)];
  await person.editKey({ id: waiting.keyId, approval: true });
  const home = await mkdtemp(join(tmpdir(), "tandem-python-"));
  try {
    const picture = join(home, "picture.png");
    await writeFile(picture, await drawPicture());
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const keys = [agent.options.key, waiting.options.key].map(String);
    await using broken = await listenBroken();
    const args = [tandem.baseUrl, ...keys, picture, nowhere, broken.url];
    expect(await runPython(story, args)).toEqual({
      misfits: [],
      posts: ["Drawn", "Grüße 4", "Grüße 3", "Grüße 2", "Grüße 1", "Grüße 0"],
      drawn: ["image", 'A "picture"', "ai_generated"],
      several: [null, "Again"],
      avatar: true,
      bodies: ["More", null],
      dry: [true, "Never"],
      once: true,
      queries: [0, 6, 6],
      errors: [
        ["TandemError", "not_found", null, expect.stringContaining(" ")],
        [
          "TandemError",
          "invalid_input",
          "title",
          expect.stringContaining("title must have at least 1 character."),
        ],
        ["ValueError", null, null, "id can't be '..'"],
        ["ValueError", null, null, "image: can't read the file '/nowhere.png'"],
        ["PendingApproval", "pending_approval", null, expect.stringContaining(" ")],
        [
          "TandemError",
          "unreachable",
          null,
          expect.stringMatching(new RegExp(`^No response from ${nowhere} \\(.*refused`)),
        ],
        ["ValueError", null, null, expect.stringContaining("must begin with http:// or https://")],
        ["ValueError", null, null, "key is not a valid API key. Keys look like tandem_live_…."],
        ["TandemError", "unreachable", null, expect.stringContaining("No response from")],
      ],
    });
  } finally {
    await rm(home, { recursive: true });
  }
});

const verify = `
import json, sys
from tandem import WebhookVerificationError, verify_webhook
def outcome(body, headers, secret):
    try:
        return verify_webhook(body.encode(), headers, secret)
    except WebhookVerificationError as error:
        return str(error)
print(json.dumps([outcome(*case) for case in json.loads(sys.argv[1])]))
`;

test("the Python client verifies webhooks as another implementation signs them", async () => {
  const [secret, other] = ["one", "two"].map(
    (text) => `whsec_${Buffer.from(text.repeat(10)).toString("base64")}`,
  ) as [string, string];
  const body = JSON.stringify({ type: "test", word: "Schön" });
  const signed = (by: string, at = Date.now()) => ({
    "Webhook-Id": "msg_1",
    "Webhook-Timestamp": String(Math.floor(at / 1000)),
    "Webhook-Signature": `${new Webhook(other).sign("msg_1", new Date(at), body)} ${new Webhook(by).sign("msg_1", new Date(at), body)}`,
  });
  const cases = [
    [body, signed(secret), secret],
    [`${body} `, signed(secret), secret],
    [body, signed(other), secret],
    [body, signed(secret, Date.now() - 400_000), secret],
    [body, {}, secret],
  ];
  expect(await runPython(verify, [JSON.stringify(cases)])).toEqual([
    JSON.parse(body),
    "webhook-signature doesn't match.",
    "webhook-signature doesn't match.",
    "webhook-timestamp is not within 300 seconds of now.",
    "webhook-id is missing.",
  ]);
});
