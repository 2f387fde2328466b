import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@tandem/client/create-client";
import { MINUTE } from "@tandem/contract/durations";
import { isWrite } from "@tandem/contract/operation";
import { type OperationName, operations } from "@tandem/contract/operations";
import { followingList } from "@tandem/testing/account-inputs";
import { makeAdminWithSource, plantSignUp } from "@tandem/testing/admins";
import { plantAgentRequest } from "@tandem/testing/agent-requests";
import { stoppedClock } from "@tandem/testing/clock";
import { foundCommunities } from "@tandem/testing/communities";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { feedList, type Inputs, inputsFor, makeFixtures, pixel } from "@tandem/testing/inputs";
import { Issuer } from "@tandem/testing/issuer";
import { makeModerationFixtures } from "@tandem/testing/moderation-fixtures";
import { loopback, Origin } from "@tandem/testing/origin";
import { plantAuthorizationRequest } from "@tandem/testing/planted-authorization";
import { scratchDirectory } from "@tandem/testing/scratch";
import { openShell, type Shell } from "@tandem/testing/shell";
import { connectUsers } from "@tandem/testing/social-fixtures";
import { overwriteDatabase } from "@tandem/testing/sqlite";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { makeWebhook } from "@tandem/testing/webhook-fixtures";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitSettings } from "../config/limits.ts";
import { curl, type Values } from "./curl.ts";
import { EXAMPLE_BASE_URL, type RecordedExample } from "./recorded-examples.ts";

const names = Object.keys(operations) as OperationName[];
const { now, pass } = stoppedClock();
const grace = { sub: "1", email: "grace@example.org", email_verified: true, name: "Grace Hopper" };

/** The credentials and inputs of the examples. */
interface World {
  key: string;
  cookie: string;
  inputs: Inputs;
}

let issuer: Issuer;
/** Another platform, from which comments are read. */
let platform: Origin;
/** The working directory of curl, and the data directories. */
let directory: string;
let world: World;

beforeAll(async () => {
  issuer = await Issuer.start();
  platform = await Origin.start();
  directory = await scratchDirectory("tandem-examples");
  await writeFile(join(directory, "picture.png"), Buffer.from(await pixel.arrayBuffer()));
  await writeFile(join(directory, "feeds.opml"), await feedList.text());
  await writeFile(join(directory, "following_accounts.csv"), await followingList.text());
  await using tandem = await startAt("world");
  world = await makeWorld(tandem);
});
afterAll(async () => {
  await issuer.stop();
  await platform[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Update with `npx vitest run server/src/discovery/recorded-examples.slow.test.ts --update`. */
test("every example in the reference is the response of a real service", async () => {
  await copyWorld("unchanged");
  await copyWorld("changed");
  await using unchanged = await startAt("unchanged");
  await using changed = await startAt("changed");
  await using shell = await openShell(directory, {
    TANDEM_API_KEY: world.key,
    TANDEM_PASSWORD: "correct horse",
  });
  const lines: string[] = [];
  for (const name of names) {
    lines.push(JSON.stringify(await record(name, isChange(name) ? changed : unchanged, shell)));
    if (isChange(name)) await undo(changed);
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./recorded-examples.jsonl");
});

function startAt(data: string): Promise<Tandem> {
  const limits = Object.fromEntries(limitSettings().map(({ name }) => [name, ""]));
  const env = {
    ...loopback,
    BASE_URL: EXAMPLE_BASE_URL,
    GOOGLE_CLIENT_ID: issuer.clientId,
    GOOGLE_ISSUER: issuer.url,
    APPLE_CLIENT_ID: issuer.clientId,
    APPLE_ISSUER: issuer.url,
    ...limits,
  };
  const dataDir = join(directory, data);
  return startTandem("sqlite", { now, dataDir, env: { ...env, DATA_DIR: dataDir } });
}

/** A person and an agent with data of every kind, and other people who interact with them. */
async function makeWorld(tandem: Tandem): Promise<World> {
  const { as, storage } = tandem;
  const person = await as.human("ada_l");
  const agent = await as.agent(person, "digest_bot");
  const reader = await as.human("mary_s");
  const own = await makeFixtures(agent, now(), () => pass(MINUTE));
  pass(MINUTE);
  await agent.attachProduct({ id: own.postId, productId: own.productId });
  await agent.follow({ platform: "native", author: "mary_s" });
  await reader.likePost({ id: own.postId });
  await reader.createComment({ id: own.postId, body: "It is.", parentId: own.commentId });
  await reader.startLive({ title: "Weaving now" });
  const sourceId = await makeAdminWithSource(storage, person, { name: "feed", now: now() });
  const company = await connectUsers(person, agent, {
    writer: { username: "mary_s", caller: reader },
    asked: { username: "joan_c", caller: await as.human("joan_c") },
    friend: { username: "kathleen_a", caller: await as.human("kathleen_a") },
    blocked: { username: "loud_one", caller: await as.human("loud_one") },
  });
  await as.human("jean_b");
  const webhook = await makeWebhook(storage, person, { agent, now: now() });
  const { invitation } = await person.createInvitation({});
  const signUpId = await plantSignUp(storage, { username: "jean_s", now: now() });
  const secrets = { code: "BCDF-GHJK", token: "to-fetch-the-key-of-an-agent" };
  const agentRequest = await plantAgentRequest(storage, { ...secrets, now: now() });
  const matters = await makeModerationFixtures(tandem, person, agent, reader);
  const edited = await makeEdited(person);
  const { post: quoting } = await reader.createPost({ title: "As she says", quoteId: edited.postId });
  await person.repostPost({ id: quoting.id });
  const others = {
    person,
    agent,
    keyId: agent.keyId,
    sourceId,
    invitationId: invitation.id,
    signUpId,
    authorizationRequest: await plantAuthorizationRequest(storage, undefined, "V1StGXR8_Z5jdHi6B-myT"),
    agentRequest,
    social: company,
    webhook,
    communities: await foundCommunities(storage, person, agent, {
      ...{ own: "weaving", other: "spinning", banned: "loud_one" },
      member: { username: "mary_s", caller: reader },
    }),
    moderation: matters,
  };
  const inputs = inputsFor(own, { ...others, now: now(), baseUrl: EXAMPLE_BASE_URL });
  return {
    key: String(agent.options.key),
    cookie: String(person.options.headers?.cookie),
    inputs: {
      ...inputs,
      signUp: { username: "grace_h", email: "grace@example.org", password: "correct horse" },
      createAgent: { ...inputs.createAgent, username: "helper_bot" },
      requestAgent: { ...inputs.requestAgent, username: "helper_bot" },
      approveAgentRequest: { ...inputs.approveAgentRequest, username: "helper_bot" },
      createCommunity: { ...inputs.createCommunity, name: "dyeing" },
      listPosts: { limit: 1, q: "engine" },
      listOriginComments: { id: await plantThread(tandem) },
      searchCreators: { q: "bot" },
      suggestSearch: { q: "bot" },
      requestFriend: { username: "jean_b" },
      clearPostVersions: { id: edited.postId },
      pinPost: { id: edited.postId },
      unpinPost: { id: edited.postId },
      listQuotes: { id: edited.postId },
      detachQuote: { id: edited.postId, quotingId: quoting.id },
      clearCommentVersions: { id: edited.commentId },
    },
  };
}

/** A post of another platform, with comments there. */
async function plantThread({ storage }: Tandem): Promise<number> {
  const file = new URL("../origins/threads/fixtures/piefed.json", import.meta.url);
  const path = "/api/alpha/comment/list?post_id=11&sort=Hot&limit=50&max_depth=8";
  platform.show(path, { body: await readFile(file) });
  const origin = { url: `${platform.url}/post/11`, score: 17, commentCount: 1 };
  return storage.write((tx) => insertImportedPost(tx, { platform: "piefed", title: "On spindles", origin }));
}

/** Content whose earlier versions its author can clear, in a session. */
async function makeEdited(person: Client) {
  const { post } = await person.createPost({ title: "On punched cards" });
  await person.editPost({ id: post.id, title: "On punched cards and looms" });
  const { comment } = await person.createComment({ id: post.id, body: "More soon." });
  await person.editComment({ id: comment.id, body: "More next week." });
  return { postId: post.id, commentId: comment.id };
}

function isChange(name: OperationName): boolean {
  return isWrite(operations[name]) || operations[name].redirects;
}

function copyWorld(name: string): Promise<void> {
  return cp(join(directory, "world"), join(directory, name), { recursive: true });
}

/**
 * Undoes a change in the database, but not in files and in what the service remembers. Restarting the service instead would take longer than
 * the call.
 */
async function undo({ services }: Tandem): Promise<void> {
  await services.afterResponse.idle();
  await overwriteDatabase(join(directory, "world"), join(directory, "changed"));
}

/** Calls an operation as its example shows. */
async function record(name: OperationName, tandem: Tandem, shell: Shell): Promise<RecordedExample> {
  const values = valuesFor(name);
  const randomFields = Object.fromEntries(randomFieldsIn(world.inputs[name]));
  const sent = {
    ...values,
    ...randomFields,
    ...("idToken" in values && { idToken: await issuer.token(grace) }),
  };
  const command = curl(operations[name], sent, tandem.baseUrl);
  // A stream stays open, so record only its first second.
  const bounded = operations[name].streams ? `${command} -m 1 2>/dev/null || true` : command;
  const response = await runInShell(tandem, bounded, shell);
  return { name, values, response: withoutRandomParts(response) };
}

/** The fields that a passkey signs or generates randomly. */
function randomFieldsIn(values: Values): [string, unknown][] {
  return Object.entries(values).filter(([field]) => ["attestationObject", "signature"].includes(field));
}

const fileNames: Record<string, string> = {
  opml: "feeds.opml",
  archive: "following_accounts.csv",
  picture: "picture.png",
  video: "picture.png",
};

function valuesFor(name: OperationName): Values {
  const values: Values = { ...world.inputs[name] };
  for (const [field] of randomFieldsIn(values)) values[field] = "bG9vbQ";
  for (const [field, { kind }] of Object.entries(operations[name].files))
    if (values[field]) values[field] = fileNames[kind];
  return "idToken" in values ? { ...values, idToken: "header.claims.signature" } : values;
}

async function runInShell(tandem: Tandem, command: string, shell: Shell): Promise<string> {
  const { hostname } = new URL(tandem.baseUrl);
  const [cookie = "", value = ""] = world.cookie.split("=");
  const jar = [hostname, "FALSE", "/", "FALSE", "0", cookie, value].join("\t");
  await writeFile(join(directory, "session.cookies"), `# Netscape HTTP Cookie File\n${jar}\n`);
  const response = await shell.run(command);
  expect(response, command).not.toMatch(/^\{"error"/);
  return response;
}

/** Replaces random parts, and everything that could be a key. */
function withoutRandomParts(response: string): string {
  return (
    response
      .replace(/tandem_live_\w+…?/g, "tandem_live_…")
      // Keys and salts of the log, and what is signed with or made from them.
      .replace(/("(?:statement|salt)":")[^"]+/g, "$1…")
      .replace(/(\\"(?:author|content|operator)\\":\\")[\w-]{43}/g, "$1…")
      .replace(/whsec_[\w+/=]+/g, "whsec_…")
      .replace(/("code":"|\/claim\/)[A-Z]{4}-[A-Z]{4}(?=")/g, "$1BCDF-GHJK")
      .replace(/("token":")[^"]+/g, "$1…")
      .replace(/("messageId":"msg_)[\w-]+/g, "$1…")
      .replace(/^retry: \d+$/m, "retry: 3000")
      .replace(/("code":"|#invitation=)[\w-]{22}(?=")/g, "$1…")
      .replace(/(\/media\/)[\w-]+/g, "$1…")
      .replace(/("(?:nonce|challenge|applicationServerKey)":")[^"]+/, "$1…")
      // The address of this test's issuer.
      .replace(/("authorizeUrl":")http:\/\/[^/]+/g, "$1https://provider.example")
      .replace(/[A-Z2-7]{32}|[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g, "…")
      .replace(/("more":")http:\/\/[^/]+/g, "$1https://piefed.example")
      // One setting is enough; others depend on this machine.
      .replace(/("settings":\[\{[^}]*\}).*(?=\]\})/, "$1")
  );
}
