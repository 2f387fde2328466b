import { realpath, stat } from "node:fs/promises";
import { delimiter } from "node:path";
import { createClient, TandemError } from "@tandem/client/index";
import { isScope } from "@tandem/contract/scopes";
import type { Connection } from "./connection.ts";
import type { FileAccess } from "./files.ts";

interface Environment {
  /** The folders whose files may be sent, separated as in PATH. */
  TANDEM_FILES?: string | undefined;
  TANDEM_BASE_URL?: string | undefined;
  TANDEM_API_KEY?: string | undefined;
}

/** Seconds. Short, because the client that starts this program waits. */
const MAX_WAIT = 5;

/** Connects with the settings in the environment (without a key, anonymously) and tests the connection. Errors have a message for people. */
export async function connect(env: Environment): Promise<Connection> {
  const baseUrl = addressOf(env.TANDEM_BASE_URL?.trim());
  const key = env.TANDEM_API_KEY?.trim();
  const files = await fileAccess(env.TANDEM_FILES);
  const fail = (error: unknown) => {
    throw new Error(messageFor(error, baseUrl));
  };
  if (!key) {
    await createClient({ baseUrl, maxWait: MAX_WAIT }).readRegistration().catch(fail);
    return { client: { baseUrl }, scopes: null, byMeaning: false, files };
  }
  // Checked here because fetch rejects such a header with a message that contains the key.
  if (!/^[!-~]+$/.test(key))
    throw new Error("TANDEM_API_KEY is not a valid key. Keys look like tandem_live_….");
  const client = { baseUrl, key };
  const api = createClient({ ...client, maxWait: MAX_WAIT });
  const { scopes } = await api.readOwnKey().catch(fail);
  return { client, scopes: scopes.split(",").filter(isScope), byMeaning: await findsByMeaning(api), files };
}

/** Whether the service finds posts by meaning. If it can't tell now, the tool is left out; the other tools find the operation. */
async function findsByMeaning(
  api: Pick<ReturnType<typeof createClient>, "listSimilarPosts">,
): Promise<boolean> {
  const asked = await api.listSimilarPosts({ q: "posts", limit: 1 }).catch(() => null);
  return asked?.available === true;
}

/** Without folders, a call contains its files: the default sends nothing from the disk. */
async function fileAccess(folders: string | undefined): Promise<FileAccess> {
  const paths = (folders ?? "").split(delimiter).filter((path) => path.trim() !== "");
  if (paths.length === 0) return { by: "base64", maxBytes: Infinity };
  const real = paths.map(async (path) => {
    const found = await realpath(path).catch(() => null);
    if (found === null || !(await stat(found)).isDirectory())
      throw new Error(`TANDEM_FILES contains ${JSON.stringify(path)}, which is not a folder.`);
    return found;
  });
  return { by: "path", folders: await Promise.all(real) };
}

function addressOf(text: string | undefined): string {
  if (!text)
    throw new Error(
      "TANDEM_BASE_URL is not set. Set it to the service's address, such as https://tandem.example.",
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`TANDEM_BASE_URL is ${JSON.stringify(text)}, which is not an http or https URL.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function messageFor(error: unknown, baseUrl: string): string {
  if (!(error instanceof TandemError) || error.status === 0)
    return `TANDEM_BASE_URL: can't connect to ${baseUrl}.`;
  if (error.status === 401) return `TANDEM_API_KEY was refused. ${error.message}`;
  return `TANDEM_BASE_URL: ${baseUrl} returned ${error.status}. ${error.message}`;
}
