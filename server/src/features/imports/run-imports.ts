import { MINUTE } from "@tandem/contract/durations";
import { type ImportPart, type ImportProblem, importParts } from "@tandem/contract/imports";
import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { isDue, LeaseLostError, type QueueRow, release, renew } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { deleteOrphans } from "../../media/delete-orphans.ts";
import { onBehalfOf } from "../../media/fair-queue.ts";
import { inFolder } from "../../media/folder.ts";
import { decodingTimeOf } from "../../media/worker-pool.ts";
import { type ArchivedPost, ArchiveError, type Contents } from "../../origins/archives/archive.ts";
import { readArchiveInProcess } from "../../origins/archives/archive-in-process.ts";
import { readItems } from "../../origins/archives/items.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { type Adding, addNames } from "./add-names.ts";
import { addPosts, preparePosts, withKnown } from "./add-posts.ts";
import { sweepImports } from "./imports.queries.ts";
import { Progress } from "./progress.ts";
import { lockNextPosts, undoSome } from "./undo-import.ts";

const RETRY = MINUTE;
/** Milliseconds that an import runs while others wait. Then it is their turn, and it has to read its file once more. */
const TURN = 3 * MINUTE;
/** How much of an hour's decoding time a person's imports use. The rest is left for the person's uploads. */
const SHARE = 0.75;

export const importQueue: Work<"imports"> = retried<"imports">({
  kind: "imports",
  table: "imports",
  key: "id",
  where: sql<boolean>`user_id is not null`,
  lease: 2 * MINUTE,
  atOnce: 2,
  maxAttempts: 5,
  pauseAfter: () => RETRY,
  waitsWhenBusy: true,
  run: (services, row, signal) =>
    row.state === "undoing" ? undoImport(services, row, signal) : runImport(services, row, signal),
  giveUp: (tx, { now }, row) => {
    const problem = row.state === "undoing" ? "undo_failed" : "internal";
    return release(tx, importQueue, row, ended(problem, now()));
  },
  log: ({ log }, { id }, err) => log.error({ err, import: id }, "an import failed"),
});

/** Works on imports that are due or to be undone, and deletes the files of those that have ended. */
export async function runImports(services: Services, signal?: AbortSignal): Promise<void> {
  await workOff(services, importQueue, signal);
  await sweepImports(services);
}

const ended = (problem: ImportProblem | null, now: number) => ({
  state: problem === null ? ("done" as const) : ("failed" as const),
  problem,
  finished_at: now,
  due_at: null,
});

/** Ends an import whose file can't be stored. */
export async function endImport(tx: Db, id: number, problem: ImportProblem, now: number): Promise<void> {
  await tx
    .updateTable("imports")
    .set(ended(problem, now))
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .execute();
}

type Row = QueueRow<"imports">;

/** Takes back what an import added, batch by batch, counts what stays, and forgets the import if nothing does. */
async function undoImport(services: Services, row: Row, signal: AbortSignal): Promise<void> {
  const { storage, afterResponse, now } = services;
  let progress = Progress.of(row);
  for (let more = true; more; ) {
    signal.throwIfAborted();
    ({ more, progress } = await storage.write(async (tx) => {
      await renew(tx, importQueue, row, importQueue.lease);
      await lockNextPosts(tx, row.id);
      const { id: userId } = await lockedAccount(tx, row.user_id);
      const next = progress.copy();
      const more = await undoSome(tx, row.id, userId, next);
      const { counts } = next.columns();
      await tx.updateTable("imports").set({ attempts: 0, counts }).where("id", "=", row.id).execute();
      return { more, progress: next };
    }));
  }
  const left = progress.columns().counts !== "[]";
  // Without an account, the sweep deletes it, and its file.
  const end = left ? { state: "undone" as const, problem: null, finished_at: now() } : { user_id: null };
  await storage.write((tx) => release(tx, importQueue, row, { ...end, due_at: null }));
  afterResponse.run("deletions", () => deleteOrphans(services));
}

/** The import goes on later. */
class Pause extends Error {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super("The import pauses.");
    this.milliseconds = milliseconds;
  }
}

async function runImport(services: Services, row: Row, signal: AbortSignal): Promise<void> {
  const { storage, media, now } = services;
  const { file, platform, created_at } = row;
  if (file === null) throw new LeaseLostError();
  const parts = row.parts.split(",") as ImportPart[];
  let problem: ImportProblem | null = null;
  try {
    await inFolder(media.incoming, async (folder) => {
      const contents = await media.store.withFile(file, (path) =>
        // The time of the upload, so that a second attempt finds the same items.
        readArchiveInProcess({ path, platform, parts, folder, now: created_at }, signal),
      );
      if (contents === null) throw new ArchiveError("internal");
      await importContents(services, row, { ...contents, folder }, signal);
    });
  } catch (error) {
    if (error instanceof Pause) {
      const due_at = Math.round(now() + error.milliseconds);
      // It didn't fail.
      return storage.write((tx) => release(tx, importQueue, row, { due_at, attempts: row.attempts - 1 }));
    }
    if (!(error instanceof ArchiveError)) throw error;
    problem = error.problem;
    services.log.info({ err: error, import: row.id }, "an export can't be imported");
  }
  await storage.write((tx) => release(tx, importQueue, row, ended(problem, now())));
}

/**
 * Adds what isn't added yet, batch by batch. Progress is written with each batch, so that an interrupted import continues after it.
 * Throws {@link Pause} between two of them.
 */
async function importContents(
  services: Services,
  row: Row,
  { totals, left, folder }: Contents & { folder: string },
  signal: AbortSignal,
): Promise<void> {
  const total = importParts.reduce((sum, part) => sum + totals[part], 0);
  let progress = row.total === null ? Progress.begin(left) : Progress.of(row);
  const begun = services.now();
  const commit = async (count: number, work: (tx: Db, userId: number, next: Progress) => Promise<void>) => {
    signal.throwIfAborted();
    progress = await services.storage.write(async (tx) => {
      await renew(tx, importQueue, row, importQueue.lease);
      const userId = await activeAccount(tx, row.user_id, services.now());
      const next = progress.copy();
      await work(tx, userId, next);
      next.done += count;
      // An import that always fails at the same batch is given up.
      const values = {
        ...{ state: "working" as const, total, ...next.columns() },
        ...(count > 0 && { attempts: 0 }),
      };
      await tx.updateTable("imports").set(values).where("id", "=", row.id).execute();
      return next;
    });
    const isLong = services.now() - begun >= TURN;
    if (isLong && count > 0 && progress.done < total && (await othersWait(services, row))) throw new Pause(0);
  };
  await commit(0, async () => {});
  while (progress.done < totals.posts) {
    const of = { userId: row.user_id ?? 0, importId: row.id, platform: row.platform };
    const next = await readItems(folder, "posts", progress.done);
    const batch = postBatch(await withKnown(services.storage.read, of, next));
    if (batch.some(needsConversion)) requireTime(services, of.userId);
    await onBehalfOf(of.userId, () =>
      preparePosts(services, of.platform, batch, (prepared) =>
        commit(batch.length, (tx, userId, next) =>
          addPosts(tx, { ...of, userId, now: services.now() }, prepared, next),
        ),
      ),
    );
  }
  let first = totals.posts;
  for (const part of importParts) {
    if (part === "posts") continue;
    const end = first + totals[part];
    while (progress.done < end) {
      const batch = await batchOf(folder, part, progress.done - first);
      await commit(batch.count, (tx, userId, next) =>
        batch.add(tx, { userId, importId: row.id, now: services.now() }, next),
      );
    }
    first = end;
  }
}

/** The items of a part from this one on, as far as one transaction adds them. */
async function batchOf<Part extends Exclude<ImportPart, "posts">>(folder: string, part: Part, from: number) {
  const items = await readItems(folder, part, from);
  return {
    count: items.length,
    add: (tx: Db, adding: Adding, progress: Progress) => addNames[part](tx, adding, items, progress),
  };
}

interface Preparable {
  pictures: ArchivedPost["pictures"];
  isKnown: boolean;
}

const needsConversion = ({ pictures, isKnown }: Preparable) => pictures.length > 0 && !isKnown;

/** Posts without pictures to convert together, and one with some alone, because that takes time. */
function postBatch<Post extends Preparable>(posts: readonly Post[]): readonly Post[] {
  const pictured = posts.findIndex(needsConversion);
  return pictured < 0 ? posts : posts.slice(0, Math.max(pictured, 1));
}

/** Decoding counts for the person, as with uploads. */
function requireTime({ config }: Services, userId: number): void {
  const { milliseconds, left } = decodingTimeOf(userId);
  if (milliseconds >= SHARE * config.limits.mediaSecondsPerHour * 1000) throw new Pause(left);
}

function othersWait({ storage, now }: Services, { id }: Row): Promise<boolean> {
  return isDue(storage.read, importQueue, { now: now(), also: sql<boolean>`id <> ${id}` });
}

/** Locks the account. It may have been suspended or deleted since the import began. */
async function activeAccount(tx: Db, userId: number | null, now: number): Promise<number> {
  const { id, suspended_until } = await lockedAccount(tx, userId);
  if (suspended_until !== null && suspended_until > now) throw new ArchiveError("suspended");
  return id;
}

async function lockedAccount(tx: Db, userId: number | null) {
  if (userId === null) throw new LeaseLostError();
  await lockAccount(tx, userId);
  const user = await tx
    .selectFrom("users")
    .select(["id", "suspended_until", "removing_at"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!user || user.removing_at !== null) throw new LeaseLostError();
  return user;
}
