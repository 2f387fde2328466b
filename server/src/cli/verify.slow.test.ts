import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { integrate } from "../features/transparency-log/integrate.ts";
import { run } from "./run.ts";

test("verify checks a receipt against what the server shows; log shows the log and rotates its key", async () => {
  await using directory = await temporaryDirectory();
  await using tandem = await startTandem("sqlite", { dataDir: directory.path });
  const command = async (...args: string[]) => {
    const lines: string[] = [];
    const terminal = {
      out: (line: string) => lines.push(line),
      error: (line: string) => lines.push(line),
      interactive: false,
    };
    const code = await run(args, { DATA_DIR: directory.path, LOG_LEVEL: "silent" }, terminal);
    return { code, output: lines.join("\n") };
  };
  expect(await command("log", "show")).toMatchObject({
    code: 1,
    output: expect.stringContaining("hasn't begun"),
  });
  const person = await tandem.as.human();
  const { post } = await person.createPost({ title: "As it was" });
  const { comment } = await person.createComment({ id: post.id, body: "So it is" });
  const url = `${tandem.baseUrl}/posts/${post.id}`;
  expect(await command("verify", url)).toMatchObject({
    code: 0,
    output: expect.stringContaining("isn't in the log yet"),
  });
  await integrate(tandem.services);
  expect(await command("verify", url)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Everything matches\.$/m),
  });
  expect(await command("verify", `${url}#comment-${comment.id}`)).toMatchObject({ code: 0 });
  await person.editProfile({ bio: "On looms" });
  await integrate(tandem.services);
  const profile = `${tandem.baseUrl}/creators/native/${person.user.username}`;
  expect(await command("verify", profile)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/skipped {2}The receipt covers the version.*Everything matches/s),
  });
  const shown = await command("log", "show");
  const [, key = ""] = /^Key: (\S+)$/m.exec(shown.output) ?? [];
  expect(await command("verify", url, "--key", key)).toMatchObject({ code: 0 });
  const rotated = await command("log", "rotate-key");
  expect(rotated).toMatchObject({ code: 0, output: expect.not.stringContaining(key) });
  const [, newKey = ""] = /^Key: (\S+)$/m.exec(rotated.output) ?? [];
  expect(await command("verify", url, "--key", newKey)).toMatchObject({ code: 0 });
  // Listed still, but it signed neither this receipt nor this state of the log.
  expect(await command("verify", url, "--key", key)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/failed {3}The service signed.*failed {3}The entry is in/s),
  });
  expect(await command("verify", url, "--key", `${key}x`)).toMatchObject({ code: 1 });
  await tandem.storage.write((tx) =>
    tx.updateTable("comments").set({ body: "It never was" }).where("id", "=", comment.id).execute(),
  );
  const tampered = await command("verify", `${url}#comment-${comment.id}`);
  expect(tampered).toMatchObject({ code: 1, output: expect.stringContaining("failed   The text") });
  expect(await command("verify", `${tandem.baseUrl}/posts/999`)).toMatchObject({ code: 1 });
  expect(await command("verify", "nonsense")).toMatchObject({ code: 2 });
  expect(await command("audit", "verify")).toMatchObject({ code: 0 });
});
