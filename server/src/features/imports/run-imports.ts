import { MINUTE } from "@tandem/contract/durations";
import type { ImportPart, ImportProblem } from "@tandem/contract/imports";
import { sql } from "kysely";
import type { Services } from "../../http/services.ts";
import { LeaseLostError, type QueueRow, release, renew } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { onBehalfOf } from "../../media/fair-queue.ts";
import { inFolder } from "../../media/folder.ts";
import { ArchiveError, type Contents } from "../../origins/archives/archive.ts";
import { readArchiveInThread } from "../../origins/archives/archive-in-thread.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount } from "../accounts/accounts.queries.ts";
import { addFollows, saveBookmarks } from "./add-names.ts";
import { addPosts, preparePost } from "./add-posts.ts";
import { sweepImports } from "./imports.queries.ts";
import { Progress } from "./progress.ts";

const RETRY = MINUTE;
/** Posts, or names, that one transaction adds: few, because other writes wait for it. */
const POSTS = 25;
const NAMES = 200;

export const importQueue: Work<"imports"> = retried<"imports">({
  kind: "imports",
  table: "imports",
  key: "id",
  where: sql<boolean>`user_id is not null`,
  lease: 2 * MINUTE,
  atOnce: 1,
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
    if (!(error instanceof ArchiveError)) throw error;
    problem = error.problem;
    services.log.info({ err: error, import: row.id }, "an export can't be imported");
  }
  await storage.write((tx) => release(tx, importQueue, row, ended(problem, now())));
}

/** Adds what isn't added yet, batch by batch. Progress is written with each batch, so that an interrupted import continues after it. */
async function importContents(
  services: Services,
  row: Row,
  contents: Contents,
  signal: AbortSignal,
): Promise<void> {
  const { posts, follows, bookmarks, left } = contents;
  const total = posts.length + follows.length + bookmarks.length;
  let progress = row.total === null ? Progress.begin(left) : Progress.of(row);
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
  };
  await commit(0, async () => {});
  const base = { posts: 0, follows: posts.length, bookmarks: posts.length + follows.length };
  while (progress.done < base.follows) {
    const batch = postBatch(posts, progress.done);
    await onBehalfOf(`import of ${row.user_id}`, () =>
      preparePost(services, batch, (prepared) =>
        commit(batch.length, (tx, userId, next) =>
          addPosts(tx, { userId, platform: row.platform, now: services.now() }, prepared, next),
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

/** Posts without pictures together, and one with pictures alone, because its files must be converted. */
function postBatch(posts: Contents["posts"], from: number) {
  const batch = posts.slice(from, from + POSTS);
  const pictured = batch.findIndex(({ pictures }) => pictures.length > 0);
  return pictured < 0 ? batch : batch.slice(0, Math.max(pictured, 1));
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
