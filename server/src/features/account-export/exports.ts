import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DataExport } from "@tandem/contract/account-resources";
import { sql } from "kysely";
import { ZipFile } from "yazl";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Services } from "../../http/services.ts";
import { inFolder } from "../../media/folder.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, readUser } from "../accounts/accounts.queries.ts";
import { readAgents } from "../accounts/agents.queries.ts";
import { preferencesOf } from "../accounts/preferences.ts";
import { readSecurity } from "../accounts/security.ts";
import { countAttempt, exportAttempt } from "../accounts/throttle.ts";
import { jsonOf, partsOf } from "./export-parts.ts";
import {
  type Claimed,
  claimExport,
  exportOf,
  failExport,
  queueExport,
  settleExport,
} from "./exports.queries.ts";

/** The path from which an export is downloaded. */
export const EXPORT_PATH = "/api/users/me/export/file";

export const dataExports = {
  readExport: (ctx) => describe(ctx.read, ctx),
  async startExport(ctx) {
    const { services, caller, now } = ctx;
    const answer = await ctx.write(async (tx) => {
      await lockAccount(tx, caller.userId);
      if ((await describe(tx, ctx)).state !== "working") {
        await countAttempt(ctx, tx, exportAttempt(ctx));
        await queueExport(tx, caller.userId, now);
      }
      return describe(tx, ctx);
    });
    services.media.afterResponse("exports", () => makeExports(services));
    return answer;
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

/** Creates the exports that are due, one after another, until none is left or `signal` aborts. */
export async function makeExports(services: Services, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const claimed = await claimExport(services, services.now());
    if (!claimed) return;
    try {
      const bytes = await createArchive(services, claimed);
      await services.storage.write((tx) => settleExport(tx, claimed, bytes, services.now()));
    } catch (err) {
      services.log.error({ err, export: claimed.id }, "an export failed");
      await services.storage.write((tx) => failExport(tx, claimed, services.now()));
    }
  }
}

/** Writes and stores the archive; returns its size in bytes. Everything is streamed, so memory use is small. */
async function createArchive({ storage, media }: Services, { userId, file }: Claimed): Promise<number> {
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
    security: await readSecurity(db, userId),
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
    select m.id from media m join drafts d on d.id = m.draft_id where d.user_id in (${owners})`;
  const { rows } = await sql<{
    name: string;
  }>`select name from media_files where media_id in (${own})`.execute(db);
  return rows.map(({ name }) => name);
}
