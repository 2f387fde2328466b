import { createHash } from "node:crypto";
import { DAY, HOUR } from "@tandem/contract/durations";
import { scopeNames } from "@tandem/contract/scopes";
import type { ActivityEntry, Console, Draft, Key } from "@tandem/seed/console";
import type { Account } from "@tandem/seed/model";
import type { World } from "@tandem/seed/world";
import { collectPost, insertCollection } from "../../features/posts/collections.ts";
import { addDraft } from "../../features/publishing/add-draft.ts";
import { recordActivity } from "../../http/activity.ts";
import type { CallerKey } from "../../http/caller.ts";
import { callerKey } from "../../http/credential.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import { callBy } from "./calls.ts";
import { assignIds } from "./ids.ts";

type Keys = Map<Account, CallerKey>;

/** Agents' keys and activity, drafts, pending approvals, collections and a webhook. */
export async function writeConsole(tx: Db, world: World, console: Console): Promise<void> {
  const { keys, activity, drafts, collections } = console;
  const stored = await addKeys(tx, keys);
  await addActivity(tx, activity, stored);
  for (const draft of drafts) await writeDraft(tx, draft, stored);
  for (const { by, name, posts, at } of collections) {
    const collection_id = await insertCollection(tx, { user_id: by.id, name, created_at: at });
    for (const { id } of posts) await collectPost(tx, { collection_id, post_id: id, user_id: by.id });
  }
  await addWebhook(tx, world);
}

/** Inserted directly: `addKey` creates random secrets, but these must be deterministic and match no valid key. */
async function addKeys(tx: Db, keys: readonly Key[]): Promise<Keys> {
  const numbered = keys.map((key) => ({ ...key, id: 0 }));
  await assignIds(tx, "keys", numbered);
  const rows = numbered.map(({ id, agent, name, tier, acceptedWrites, approval, lastUsedAt }) => {
    const hash = createHash("sha256").update(`the key of ${agent.username}`).digest("hex");
    return {
      id,
      owner_id: agent.operator?.id ?? agent.id,
      user_id: agent.id,
      name,
      hint: `tandem_live_${hash.slice(0, 4)}…`,
      hash,
      scopes: scopeNames.join(","),
      tier,
      accepted_writes: acceptedWrites,
      approval: approval ? 1 : 0,
      caps: null,
      created_at: agent.joinedAt,
      last_used_at: lastUsedAt,
      expires_at: null,
      client_id: null,
    };
  });
  await insertRows(tx, "keys", rows);
  return new Map(numbered.map(({ agent }, i) => [agent, callerKey(rows[i] as (typeof rows)[number])]));
}

async function addActivity(tx: Db, activity: readonly ActivityEntry[], keys: Keys): Promise<void> {
  const entries = activity.map(({ agent, operation, target, at }) => ({
    user_id: agent.id,
    key_id: keys.get(agent)?.id ?? null,
    operation,
    target: target.id,
    name: null,
    signer: null,
    created_at: at,
    changed: 1 as const,
    draft_id: null,
  }));
  await recordActivity(tx, entries);
}

async function writeDraft(tx: Db, draft: Draft, keys: Keys): Promise<void> {
  const { author, operation, input, post, state, publishAt, createdAt } = draft;
  await addDraft(tx, {
    ...callBy(author, createdAt, keys.get(author)),
    operation,
    input: post ? { id: post.id, ...input } : input,
    state,
    publishAt,
  });
}

/** Inserted directly: the feature creates random secrets, and only sending creates deliveries. Disabled, so that it sends nothing. */
async function addWebhook(tx: Db, { agents, people, span }: World): Promise<void> {
  const owner = agents[0]?.operator ?? people[0];
  if (!owner) return;
  const secret = `whsec_${createHash("sha256").update("a demo webhook").digest("base64")}`;
  const { id } = await tx
    .insertInto("webhooks")
    .values({
      owner_id: owner.id,
      user_id: owner.id,
      url: "https://hooks.example.org/tandem",
      types: null,
      secret,
      state: "off",
      created_at: span.end - 20 * DAY,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const results = [
    { state: "delivered", status: 204, error: null, attempts: 1 },
    { state: "delivered", status: 204, error: null, attempts: 2 },
    { state: "failed", status: 500, error: "The receiver responded with status 500.", attempts: 8 },
  ] as const;
  const rows = results.map((result, i) => {
    const at = span.end - (results.length - i) * HOUR;
    const message = { webhook_id: id, message_id: `msg_demo${i}`, type: "test" as const, payload: "{}" };
    return { ...message, ...result, due_at: null, tried_at: at, created_at: at };
  });
  await insertRows(tx, "webhook_deliveries", rows);
}
