import { createClient, TandemError } from "@tandem/client/index";
import { isScope } from "@tandem/contract/scopes";
import type { Connection } from "./connection.ts";

interface Environment {
  TANDEM_BASE_URL?: string | undefined;
  TANDEM_API_KEY?: string | undefined;
}

/** Seconds: a client that starts its tools waits for them. */
const PATIENCE = 5;

/** The connection that the environment describes, tried out. Throws a sentence for people where it can't be had. */
export async function connect(env: Environment): Promise<Connection> {
  const baseUrl = addressOf(env.TANDEM_BASE_URL?.trim());
  const key = env.TANDEM_API_KEY?.trim();
  if (!key)
    throw new Error(
      "TANDEM_API_KEY is not set. It takes a key, tandem_live_…, that a person mints on the site.",
    );
  // A header can hold no more, and fetch's own complaint would show the key.
  if (!/^[!-~]+$/.test(key)) throw new Error("TANDEM_API_KEY is no key: it looks like tandem_live_….");
  const client = { baseUrl, key };
  const { scopes } = await createClient({ ...client, maxWait: PATIENCE })
    .readOwnKey()
    .catch((error: unknown) => {
      throw new Error(complaint(error, baseUrl));
    });
  return { client, held: scopes.split(",").filter(isScope), files: true };
}

function addressOf(text: string | undefined): string {
  if (!text)
    throw new Error(
      "TANDEM_BASE_URL is not set. It takes the service's address, such as https://tandem.example.",
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`TANDEM_BASE_URL is ${JSON.stringify(text)}, which is no http or https address.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function complaint(error: unknown, baseUrl: string): string {
  if (!(error instanceof TandemError) || error.status === 0)
    return `TANDEM_BASE_URL: nothing answers at ${baseUrl}.`;
  if (error.status === 401) return "TANDEM_API_KEY is not a live key of this service: mistyped, or revoked.";
  return `TANDEM_BASE_URL: ${baseUrl} answered ${error.status}. ${error.message}`;
}
