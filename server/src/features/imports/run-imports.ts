import { MINUTE } from "@tandem/contract/durations";
import type { ImportPart, ImportProblem } from "@tandem/contract/imports";
import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { isDue, LeaseLostError, type QueueRow, release, renew } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { onBehalfOf } from "../../media/fair-queue.ts";
import { inFolder } from "../../media/folder.ts";
import { decodingTimeOf } from "../../media/worker-pool.ts";
import { ArchiveError, type Contents } from "../../origins/archives/archive.ts";
import { readArchiveInThread } from "../../origins/archives/archive-in-thread.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { addFollows, saveBookmarks } from "./add-names.ts";
import { addPosts, preparePosts, withKnown } from "./add-posts.ts";
import { sweepImports } from "./imports.queries.ts";
import { Progress } from "./progress.ts";

const RETRY = MINUTE;
/** Posts, or names, that one transaction adds: few, because other writes wait for it. */
const POSTS = 25;
const NAMES = 200;
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
  run: runImport,
  giveUp: (tx, { now }, row) => release(tx, importQueue, row, ended("internal", now())),
  log: ({ log }, { id }, err) => log.error({ err, import: id }, "an import failed"),
});

/** Works on imports that are due, and deletes the files of those that have ended. */
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

/** Ends an import that no process works on. */
export async function endImport(tx: Db, id: number, problem: ImportProblem, now: number): Promise<void> {
  await tx.updateTable("imports").set(ended(problem, now)).where("id", "=", id).execute();
}

type Row = QueueRow<"imports">;

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
        readArchiveInThread({ path, platform, parts, folder, now: created_at }, signal),
      );
      if (contents === null) throw new ArchiveError("internal");
      await importContents(services, row, contents, signal);
    });
  } catch (error) {
    if (error instanceof Pause) {
      const due_at = Math.round(now() + error.milliseconds);
      return storage.write((tx) => release(tx, importQueue, row, { due_at }));
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
  contents: Contents,
  signal: AbortSignal,
): Promise<void> {
  const { posts, follows, bookmarks, left } = contents;
  const total = posts.length + follows.length + bookmarks.length;
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
      const values = { state: "working" as const, total, attempts: 0, ...next.columns() };
      await tx.updateTable("imports").set(values).where("id", "=", row.id).execute();
      return next;
    });
    const isLong = services.now() - begun >= TURN;
    if (isLong && count > 0 && progress.done < total && (await othersWait(services, row))) throw new Pause(0);
  };
  await commit(0, async () => {});
  const base = { posts: 0, follows: posts.length, bookmarks: posts.length + follows.length };
  while (progress.done < base.follows) {
    const of = { userId: row.user_id ?? 0, platform: row.platform };
    const next = posts.slice(progress.done, progress.done + POSTS);
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
  while (progress.done < base.bookmarks) {
    const at = progress.done - base.follows;
    const batch = follows.slice(at, at + NAMES);
    await commit(batch.length, (tx, userId, next) => addFollows(tx, userId, batch, next));
  }
  while (progress.done < total) {
    const at = progress.done - base.bookmarks;
    const batch = bookmarks.slice(at, at + NAMES);
    await commit(batch.length, (tx, userId, next) => saveBookmarks(tx, userId, batch, next));
  }
}

interface Preparable {
  pictures: Contents["posts"][number]["pictures"];
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
  if (userId === null) throw new LeaseLostError();
  await lockAccount(tx, userId);
  const user = await tx
    .selectFrom("users")
    .select(["suspended_until", "removing_at"])
    .where("id", "=", userId)
    .executeTakeFirst();
  if (!user || user.removing_at !== null) throw new LeaseLostError();
  if (user.suspended_until !== null && user.suspended_until > now) throw new ArchiveError("suspended");
  return userId;
}
