import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DataExport } from "@tandem/contract/account-resources";
import { DAY, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { sql } from "kysely";
import { ZipFile } from "yazl";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Services } from "../../http/services.ts";
import { LeaseLostError, type QueueRow, release } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { inFolder } from "../../media/folder.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { readAgents } from "../accounts/agents.queries.ts";
import { preferencesOf } from "../accounts/preferences.ts";
import { readSecurity } from "../accounts/security.ts";
import { countAttempt, exportAttempt } from "../accounts/throttle.ts";
import { jsonOf, partsOf } from "./export-parts.ts";
import { exportOf, queueExport } from "./exports.queries.ts";

/** The path from which an export is downloaded. */
export const EXPORT_PATH = "/api/users/me/export/file";

export const dataExports = {
  readExport: (ctx) => describe(ctx.read, ctx),
  async startExport(ctx) {
    const { services, caller, now } = ctx;
    const response = await ctx.write(async (tx) => {
      await lockAccount(tx, caller.userId);
      if ((await describe(tx, ctx)).state !== "working") {
        await countAttempt(ctx, tx, exportAttempt(ctx));
        await queueExport(tx, caller.userId, now);
      }
      return describe(tx, ctx);
    });
    services.afterResponse.run("exports", () => makeExports(services));
    return response;
  },
} satisfies Handlers<"readExport" | "startExport">;

async function describe(db: Db, { caller, now }: SignedIn): Promise<DataExport> {
  const row = await exportOf(db, caller.userId);
  const none = { url: null, bytes: null, expiresAt: null };
  if (row && row.due_at !== null) return { state: "working", ...none };
  if (!row || row.ready === 0 || row.expires_at <= now) return { state: "none", ...none };
  return {
    state: "ready",
    url: EXPORT_PATH,
    bytes: row.bytes,
    expiresAt: new Date(row.expires_at).toISOString(),
  };
}

/** The file of an account's export if it is ready and hasn't expired. */
export async function readyExport(db: Db, userId: number, now: number): Promise<string | null> {
  const row = await exportOf(db, userId);
  return row && row.ready === 1 && row.expires_at > now ? row.file : null;
}

const RETRY = MINUTE;

export const exportQueue: Work<"exports"> = retried<"exports">({
  kind: "exports",
  table: "exports",
  key: "id",
  where: sql<boolean>`user_id is not null`,
  lease: 30 * MINUTE,
  atOnce: 1,
  maxAttempts: 3,
  pauseAfter: () => RETRY,
  async run(services, row) {
    const { storage, now } = services;
    const bytes = await createFile(services, row);
    // Available from now on, for as many days as from now.
    const expires_at = now() + limits.exportDays * DAY;
    await storage.write((tx) => release(tx, exportQueue, row, { ready: 1, bytes, due_at: null, expires_at }));
  },
  giveUp: (tx, _services, row) => release(tx, exportQueue, row, { due_at: null }),
  log: ({ log }, { id }, err) => log.error({ err, export: id }, "an export could not be created"),
});

/** Creates the exports that are due. */
export function makeExports(services: Services, signal?: AbortSignal): Promise<void> {
  return workOff(services, exportQueue, signal);
}

/** Writes the file and stores it; returns its size. However much the account holds, little of it is in memory at a time. */
async function createFile(
  { storage, media }: Services,
  { user_id: userId, file }: QueueRow<"exports">,
): Promise<number> {
  if (userId === null) throw new LeaseLostError();
  return inFolder(media.incoming, async (folder) => {
    const path = join(folder, "export.zip");
    const zip = new ZipFile();
    const written = pipeline(zip.outputStream, createWriteStream(path));
    // The archive reports errors of its inputs only as an event, and its output then never ends.
    const failed = new Promise<never>((_, reject) => zip.on("error", reject));
    await Promise.race([Promise.all([addAll(storage.read, media, zip, userId), written]), failed]);
    const { size } = await stat(path);
    await media.store.put(file, path);
    return size;
  });
}

/** Adds the account's data, and its agents' in a folder each: an operator is responsible for what their agents have. */
async function addAll(db: Db, media: Services["media"], zip: ZipFile, userId: number): Promise<void> {
  await addAccount(db, zip, userId, "");
  const agents = await readAgents(db, userId);
  for (const { id, username } of agents) await addAccount(db, zip, id, `agents/${username}/`);
  for (const name of await filesOf(db, [userId, ...agents.map(({ id }) => id)])) addFile(media, zip, name);
  zip.end();
}

async function addAccount(db: Db, zip: ZipFile, userId: number, folder: string): Promise<void> {
  const { id: _, ...about } = await readUser(db, userId);
  const profile = {
    ...about,
    preferences: await preferencesOf(db, userId),
    security: await readSecurity(db, userId, null),
  };
  zip.addBuffer(Buffer.from(`${JSON.stringify(profile, null, 2)}\n`), `${folder}profile.json`);
  for (const part of partsOf[about.role === "agent" ? "agent" : "person"])
    zip.addReadStreamLazy(`${folder}${part.name}.json`, (done) =>
      done(null, Readable.from(jsonOf(db, part, userId))),
    );
}

/** Media are compressed already, so they are stored as they are. A file that was deleted meanwhile becomes an empty entry. */
function addFile({ store }: Services["media"], zip: ZipFile, name: string): void {
  zip.addReadStreamLazy(`media/${name}`, { compress: false }, (done) => {
    store
      .open(name)
      .then((stored) => stored?.stream() ?? Readable.from([]))
      .then(
        (stream) => done(null, stream),
        (error) => done(error, Readable.from([])),
      );
  });
}

/**
 * The names of all uploaded files, in every stored size. The list is held in memory, as the archive keeps one of its entries
 * anyway.
 */
async function filesOf(db: Db, accounts: number[]): Promise<string[]> {
  const owners = db.engine.oneOf(accounts);
  const creators = sql`select id from creators where user_id in (${owners})`;
  const own = sql`select id from media where user_id in (${owners})
    union all
    select m.id from media m join posts p on p.id = m.post_id where p.creator_id in (${creators})
    union all
    select m.id from media m join removed_posts r on r.post_id = m.post_id where r.creator_id in (${creators})
    union all
    select m.id from media m join community_members c on c.community_id = m.community_id
      where c.role = 'owner' and c.user_id in (${owners})
    union all
    select m.id from media m join drafts d on d.id = m.draft_id where d.user_id in (${owners})`;
  const { rows } = await sql<{
    name: string;
  }>`select name from media_files where media_id in (${own})`.execute(db);
  return rows.map(({ name }) => name);
}
