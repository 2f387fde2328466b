import { HOUR } from "@tandem/contract/durations";
import { stoppedClock } from "@tandem/testing/clock";
import { MailServer } from "@tandem/testing/mail-server";
import { engines, startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { sendMails } from "../features/accounts/mails.ts";

test.each(engines)("metrics on %s report due work, its age and how runs ended", async (engine) => {
  const clock = stoppedClock();
  await using post = await MailServer.start();
  post.refuses = { code: 451, says: "try again later" };
  await using tandem = await startTandem(engine, { now: clock.now, env: post.env });
  const metrics = async () => {
    const text = await (await fetch(`${tandem.baseUrl}/metrics`)).text();
    const lines = text.matchAll(/^tandem_queue_(\w+)\{queue="mails"(?:,outcome="(\w+)")?\} (\S+)$/gm);
    return Object.fromEntries(
      [...lines].map(([, name, outcome = "", value]) => [name + outcome, Number(value)]),
    );
  };
  expect(await metrics()).toEqual({ waiting: 0, oldest_seconds: 0 });
  await tandem.as.human();
  await tandem.services.afterResponse.idle();
  expect(await metrics()).toEqual({ waiting: 0, oldest_seconds: 0, runs_totalretried: 1 });
  clock.pass(65_000);
  expect(await metrics()).toEqual({ waiting: 1, oldest_seconds: 5, runs_totalretried: 1 });
  post.refuses = { code: 550, says: "no such user" };
  await sendMails(tandem.services);
  expect(await metrics()).toEqual({
    waiting: 0,
    oldest_seconds: 0,
    runs_totalretried: 1,
    runs_totalfailed: 1,
  });

  // Jobs use the database's clock.
  const job = { due_at: Date.now() - 60_000, holder: null, lease_ends_at: 0, failures: 0 };
  const rows = [
    { ...job, name: "mails" },
    { ...job, name: "sources", holder: "another", lease_ends_at: Date.now() + HOUR },
    { ...job, name: "sweep", due_at: Date.now() + HOUR },
    { ...job, name: "of-an-old-version" },
  ];
  await tandem.storage.write((tx) => tx.insertInto("jobs").values(rows).execute());
  const text = await (await fetch(`${tandem.baseUrl}/metrics`)).text();
  const late = [...text.matchAll(/^tandem_job_late_seconds\{name="(.+)"\} (\S+)$/gm)];
  expect(Object.fromEntries(late.map(([, name, value]) => [name, Math.floor(Number(value) / 60)]))).toEqual({
    mails: 1,
    sources: 0,
    sweep: 0,
  });
});
