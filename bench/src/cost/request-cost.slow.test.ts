import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { Callers, type Person } from "@tandem/testing/callers";
import { expect, test } from "vitest";
import type { Request } from "../requests.ts";
import type { Cost, FromService, ToService } from "./measured-service.ts";

const RECORDED = new URL("./request-cost.json", import.meta.url);
const SERVICE = new URL("./measured-service.ts", import.meta.url);
/** Requests of each kind that are measured, after as many that aren't. */
const REQUESTS = 40;
/** A figure outside of this share of the recorded one fails. Allocations vary by a few percent. */
const LEAST = 0.5;
const MOST = 1.25;

/**
 * What requests cost, counted rather than timed, so that it is the same on any machine: statements must be exactly as many as recorded,
 * and allocated bytes about as many. If that is meant to change, record it again with
 * `npx vitest run bench/src/cost --update`.
 */
test("requests cost what they did when their cost was recorded", async () => {
  await using service = await startMeasured();
  const kinds = await kindsOf(service.baseUrl);
  const measured: Record<string, Cost> = {};
  for (const [kind, requestOf] of Object.entries(kinds)) measured[kind] = await service.costOf(requestOf);
  const recorded = await readFile(RECORDED, "utf8").catch(() => "{}");
  const text = `${JSON.stringify(measured, null, 2)}\n`;
  // Allocations are never quite the same, so the recorded text stands for all that are near it.
  await expect(areNear(measured, JSON.parse(recorded)) ? recorded : text).toMatchFileSnapshot(
    fileURLToPath(RECORDED),
  );
});

function areNear(measured: Record<string, Cost>, recorded: Record<string, Cost>): boolean {
  const isNear = ([kind, cost]: [string, Cost]) => {
    const { bytes = 0, statements } = recorded[kind] ?? {};
    return cost.statements === statements && cost.bytes >= LEAST * bytes && cost.bytes <= MOST * bytes;
  };
  return (
    Object.entries(measured).every(isNear) && Object.keys(recorded).length === Object.keys(measured).length
  );
}

/** Requests by number. Those of a kind are alike. */
type RequestOf = (i: number) => Request[];

async function kindsOf(baseUrl: string): Promise<Record<string, RequestOf>> {
  const callers = new Callers(baseUrl);
  const author = await callers.human();
  const reader = await callers.human();
  const ids: number[] = [];
  for (let i = 0; i < 2 * REQUESTS; i++) ids.push((await author.createPost(postBody(i))).post.id);
  const [first = 0] = ids;
  for (let i = 0; i < 30; i++) await reader.createComment({ id: first, body: `Comment ${i} on that` });
  await reader.follow({ platform: "native", author: author.user.username });
  const by = ({ options }: Person, path: string): Request => ({ path, headers: { ...options.headers } });
  const page = "/api/posts?limit=50";
  // No answer to such an address is known.
  const unknown = (path: string, i: number) => `${path}&_n=${i}`;
  return {
    "page of 50, anonymous": (i) => [{ path: unknown(page, i) }],
    "page of 50, signed in": (i) => [by(reader, unknown(page, i))],
    "the same page again": () => [by(reader, page)],
    "hot page of 50, signed in": (i) => [by(reader, unknown(`${page}&sort=hot`, i))],
    "followed page of 50": (i) => [by(reader, unknown(`${page}&followed=1`, i))],
    search: (i) => [by(reader, unknown("/api/posts?q=looms", i))],
    "30 comments": (i) => [by(reader, unknown(`/api/posts/${first}/comments?limit=30`, i))],
    "one post": (i) => [by(reader, `/api/posts/${ids[i]}`)],
    like: (i) => [{ ...by(reader, `/api/posts/${ids[i]}/like`), method: "POST" }],
    "a view, and a page after it": (i) => [
      { ...by(author, `/api/posts/${ids[i]}/view`), method: "POST" },
      by(reader, page),
    ],
    "create a post": (i) => [{ ...by(author, "/api/posts"), method: "POST", body: postBody(1000 + i) }],
  };
}

function postBody(i: number): { title: string; body: string } {
  return { title: `Number ${i}`, body: `${i} ${"Some words on looms and engines. ".repeat(10)}` };
}

async function startMeasured() {
  const flags = [
    "--expose-gc",
    "--max-semi-space-size=64",
    "--min-semi-space-size=64",
    "--no-opt",
    "--no-maglev",
  ];
  const child = fork(SERVICE, { execArgv: flags, env: { ...process.env, NODE_OPTIONS: "" } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const told = await answerOf(child);
  if (!("baseUrl" in told)) throw new Error("The service said nothing of its address");
  const { baseUrl } = told;
  const run = async (requestOf: RequestOf, from: number) => {
    for (let i = from; i < from + REQUESTS; i++)
      for (const one of requestOf(i)) await send(agent, baseUrl, one);
  };
  const ask = async (message: ToService) => {
    child.send(message);
    return answerOf(child);
  };
  const count = async () => {
    const cost = await ask("count");
    if (!("bytes" in cost)) throw new Error("The service counted nothing");
    return cost;
  };
  return {
    baseUrl,
    /** Per request. */
    async costOf(requestOf: RequestOf): Promise<Cost> {
      await run(requestOf, 0);
      await ask("collect");
      const before = await count();
      await run(requestOf, REQUESTS);
      const after = await count();
      return {
        statements: (after.statements - before.statements) / REQUESTS,
        bytes: Math.round((after.bytes - before.bytes) / REQUESTS),
      };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

function answerOf(child: ChildProcess): Promise<FromService> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("The service ended"));
    child.once("exit", onExit).once("message", (message: FromService) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}

/** Sends a request over the only connection and reads the response. Throws unless it is a 200. */
function send(
  agent: Agent,
  baseUrl: string,
  { path, method = "GET", headers, body }: Request,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const typed = body && { "content-type": "application/json" };
    const sent = request(baseUrl + path, { agent, method, headers: { ...headers, ...typed } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${method} ${path} returned ${response.statusCode}`));
      response.on("end", resolve).resume();
    });
    sent.on("error", reject).end(body && JSON.stringify(body));
  });
}
