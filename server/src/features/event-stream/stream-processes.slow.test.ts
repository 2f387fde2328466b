import { createClient } from "@tandem/client/create-client";
import { type Caller, Callers, type Person } from "@tandem/testing/callers";
import { until } from "@tandem/testing/ports";
import { createDatabase } from "@tandem/testing/postgres";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { listenToStream, type StreamListener } from "@tandem/testing/stream-listener";
import { engines } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

/** The same caller, calling another process. */
function at(address: string, caller: Caller): Caller {
  const options = { ...caller.options, baseUrl: address };
  return { ...caller, ...createClient(options), options };
}

async function deliverAcross(here: string, there: string): Promise<void> {
  const as = new Callers(here);
  const [ada, bob]: Person[] = await Promise.all([as.human(), as.human()]);
  if (!ada || !bob) throw new Error("expected two people");
  const { post } = await ada.createPost({ title: "By ada" });
  await using far = await listenToStream(at(there, ada));
  await using near = await listenToStream(ada);
  await Promise.all([far.has(1), near.has(1)]);
  for (let i = 0; i < 20; i++) await bob.createComment({ id: post.id, body: "Said" });
  const expectedIds = (await ada.listNotifications()).notifications.map(({ id }) => id).toReversed();
  await until(async () => far.ids.length >= 20 && near.ids.length >= 20);
  expect(far.ids).toEqual(expectedIds);
  expect(near.ids).toEqual(expectedIds);
  // The count changes although no notification is added.
  await ada.markNotificationsRead();
  await until(async () => far.events.at(-1)?.event === "unread" && unreadIn(far) === 0);
  expect(far.ids).toEqual(expectedIds);
  // Message events are delivered wherever messages are written and read.
  await bob.sendMessage({ username: ada.user.username, body: "Hello" });
  await until(async () => messagesIn(far) === 1 && messagesIn(near) === 1);
  await ada.markConversationRead({ username: bob.user.username });
  await until(async () => messagesIn(far) === 0 && messagesIn(near) === 0);
  // Ending the session in one process closes the streams in both.
  await ada.logOut();
  await Promise.all([far.ended, near.ended]);
}

function unreadIn({ events }: StreamListener): number | undefined {
  return events.findLast((sent) => sent.event === "unread")?.data.unread;
}

function messagesIn({ events }: StreamListener): number | undefined {
  return events.findLast((sent) => sent.event === "message")?.data.unread;
}

describe.each(engines)("notification streams across processes on %s", (engine) => {
  test("delivers what another process writes, and closes all streams on shutdown", async () => {
    await using database = engine === "postgres" ? await createDatabase() : null;
    await using directory = await temporaryDirectory();
    const env = database ? { DATABASE_URL: database.url } : undefined;
    await using first = await startProcess(directory.path, env);
    await using second = await startProcess(directory.path, env);
    await deliverAcross(first.address, second.address);

    const ada = await new Callers(second.address).human();
    await using stream = await listenToStream(ada, {}, { maxWait: 0 });
    await stream.has(1);
    await second.stop("SIGTERM");
    await stream.ended;
  });
});
