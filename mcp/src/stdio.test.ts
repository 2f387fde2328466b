import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Caller } from "@tandem/testing/callers";
import { type Conversation, converse, mcpClients } from "@tandem/testing/mcp-clients";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../bin/tandem-mcp.mjs", import.meta.url));
let tandem: Tandem;
let folder: string;

beforeAll(async () => {
  tandem = await startTandem();
  folder = await mkdtemp(join(tmpdir(), "tandem-mcp-"));
});
afterAll(async () => {
  await tandem.stop();
  await rm(folder, { recursive: true });
});

describe.each(mcpClients)("over standard input and output, the client %s", (kind) => {
  let agent: Caller;
  let client: Conversation;

  beforeAll(async () => {
    agent = await tandem.as.agent();
    const env = { TANDEM_BASE_URL: tandem.baseUrl, TANDEM_API_KEY: String(agent.options.key) };
    client = await converse(kind, { program: { args: [bin], env } });
    await client.tools();
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test("posts a picture that lies on the disk, and reads what others make of it", async () => {
    const path = join(folder, "corners.PNG");
    await writeFile(path, await drawPicture({ type: "png" }));
    const { structuredContent, isError } = await client.call("tandem_create_post", {
      title: `Corners by ${kind}`,
      image: path,
    });
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ post: { mediaType: "image", provenance: "ai_generated" } });
  });
});
