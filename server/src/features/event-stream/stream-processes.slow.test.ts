import { createClient } from "@tandem/client/client";
import { type Caller, Callers, type Person } from "@tandem/testing/callers";
import { until } from "@tandem/testing/ports";
import { createDatabase } from "@tandem/testing/postgres";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { listenToStream, type StreamListener } from "@tandem/testing/stream-listener";
import { engines } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

/** The same caller, asking another process. */
function at(address: string, caller: Caller): Caller {
  const options = { ...caller.options, baseUrl: address };
  return { ...caller, ...createClient(options), options };
}

async function story(here: string, there: string): Promise<void> {
  const as = new Callers(here);
  const [ada, bob]: Person[] = await Promise.all([as.human(), as.human()]);
  if (!ada || !bob) throw new Error("nobody came");
  const { post } = await ada.createPost({ title: "By ada" });
  await using far = await listenToStream(at(there, ada));
  await using near = await listenToStream(ada);
  await Promise.all([far.has(1), near.has(1)]);
  for (let i = 0; i < 20; i++) await bob.createComment({ id: post.id, body: "Said" });
  const told = (await ada.listNotifications()).notifications.map(({ id }) => id).toReversed();
  await until(async () => far.ids.length >= 20 && near.ids.length >= 20);
  expect(far.ids).toEqual(told);
  expect(near.ids).toEqual(told);
  // Nothing was added, and the count has changed all the same.
  await ada.readNotifications();
  await until(async () => far.events.at(-1)?.event === "unread" && unreadIn(far) === 0);
  expect(far.ids).toEqual(told);
  // Messages are heard of wherever they are written and read.
  await bob.sendMessage({ username: ada.user.username, body: "Hello" });
  await until(async () => messagesIn(far) === 1 && messagesIn(near) === 1);
  await ada.readMessages({ username: bob.user.username });
  await until(async () => messagesIn(far) === 0 && messagesIn(near) === 0);
  // Where the session ends doesn't matter.
  await ada.logOut();
  await Promise.all([far.ended, near.ended]);
}

function unreadIn({ events }: StreamListener): number | undefined {
  return events.findLast((one) => one.event === "unread")?.data.unread;
}

function messagesIn({ events }: StreamListener): number | undefined {
  return events.findLast((one) => one.event === "message")?.data.unread;
}

describe.each(engines)("listening across processes on %s", (engine) => {
  test("what one process writes, those hear who listen at another; and all are let go when it stops", async () => {
    await using database = engine === "postgres" ? await createDatabase() : null;
    await using directory = await temporaryDirectory();
    const env = database ? { DATABASE_URL: database.url } : undefined;
    await using first = await startProcess(directory.path, env);
    await using second = await startProcess(directory.path, env);
    await story(first.address, second.address);

    const ada = await new Callers(second.address).human();
    await using line = await listenToStream(ada, {}, { maxWait: 0 });
    await line.has(1);
    await second.stop("SIGTERM");
    await line.ended;
  });
});
