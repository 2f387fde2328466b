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

/** Where an export is fetched. */
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

/** The file of an account's export, if it can be fetched. */
export async function readyExport(db: Db, userId: number, now: number): Promise<string | null> {
  const row = await exportOf(db, userId);
  return row && row.ready === 1 && row.expires_at > now ? row.file : null;
}

/** Makes the exports that are due, one after another, until none is or the signal says to stop. */
export async function makeExports(services: Services, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const claimed = await claimExport(services, services.now());
    if (!claimed) return;
    try {
      const bytes = await make(services, claimed);
      await services.storage.write((tx) => settleExport(tx, claimed, bytes, services.now()));
    } catch (err) {
      services.log.error({ err, export: claimed.id }, "an export could not be made");
      await services.storage.write((tx) => failExport(tx, claimed, services.now()));
    }
  }
}

/** Writes the file and stores it; gives back its size. Whatever the account holds, little of it is in memory at a time. */
async function make({ storage, media }: Services, { userId, file }: Claimed): Promise<number> {
  return inFolder(media.incoming, async (folder) => {
    const path = join(folder, "export.zip");
    const zip = new ZipFile();
    const written = pipeline(zip.outputStream, createWriteStream(path));
    // A failure to read what goes in is told by the archive, and must end what is written.
    const broken = new Promise<never>((_, reject) => zip.on("error", reject));
    await Promise.race([Promise.all([addAll(storage.read, media, zip, userId), written]), broken]);
    const { size } = await stat(path);
    await media.store.put(file, path);
    return size;
  });
}

/** The account's own, and each of its agents' in a folder of its own: who operates an agent answers for what it has. */
async function addAll(db: Db, media: Services["media"], zip: ZipFile, userId: number): Promise<void> {
  await addAccount(db, zip, userId, "");
  const agents = await readAgents(db, userId);
  for (const { id, username } of agents) await addAccount(db, zip, id, `agents/${username}/`);
  for (const name of await filesOf(db, [userId, ...agents.map(({ id }) => id)])) addMedium(media, zip, name);
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

/** Files are packed already, so they are only put in. One that is gone meanwhile leaves an empty place. */
function addMedium({ store }: Services["media"], zip: ZipFile, name: string): void {
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

/** The names of all that was uploaded, in every size that it is kept in: the archive keeps a list of them anyway. */
async function filesOf(db: Db, accounts: number[]): Promise<string[]> {
  const whose = db.engine.oneOf(accounts);
  const creators = sql`select id from creators where user_id in (${whose})`;
  const own = sql`select id from media where user_id in (${whose})
    union all
    select m.id from media m join posts p on p.id = m.post_id where p.creator_id in (${creators})
    union all
    select m.id from media m join removed_posts r on r.post_id = m.post_id where r.creator_id in (${creators})
    union all
    select m.id from media m join drafts d on d.id = m.draft_id where d.user_id in (${whose})`;
  const { rows } = await sql<{
    name: string;
  }>`select name from media_files where media_id in (${own})`.execute(db);
  return rows.map(({ name }) => name);
}
