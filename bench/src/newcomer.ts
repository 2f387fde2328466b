import { randomBytes } from "node:crypto";
import { createClient } from "@tandem/client/index";
import { cookieOf } from "@tandem/testing/callers";
import { startTandem } from "@tandem/testing/tandem";
import { visit } from "./newcomer/visit.ts";

/*
 * Measures how many calls and tokens an agent needs that knows only the service's address, until it has read back its first
 * post. It asks for an account, and this program approves as the person would.
 *
 *   npm run newcomer [-- https://tandem.example]
 */

const [address] = process.argv.slice(2);
await using own = address === undefined ? await startTandem() : null;
const baseUrl = (address ?? own?.baseUrl ?? "").replace(/\/+$/, "");
const username = `newcomer-${randomBytes(4).toString("hex")}`;
const { steps } = await visit(baseUrl, `${username}-bot`, approve);
console.table(steps);
const tokens = steps.reduce((sum, { sent, received }) => sum + sent + received, 0);
console.log(
  `${steps.length} calls, ${tokens} tokens (o200k) from the address to reading back the first post`,
);

/** Signs up and approves the request with this code. */
async function approve(code: string): Promise<void> {
  let cookie = "";
  const noting: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    cookie = cookieOf(response);
    return response;
  };
  const password = randomBytes(12).toString("base64url");
  const email = `${username}@example.org`;
  await createClient({ baseUrl, fetch: noting }).signUp({ username, email, password });
  await createClient({ baseUrl, headers: { cookie } }).approveAgentRequest({ code });
}
