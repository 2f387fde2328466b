import { randomBytes } from "node:crypto";
import { createClient } from "@tandem/client/index";
import { cookieOf } from "@tandem/testing/callers";
import { startTandem } from "@tandem/testing/tandem";
import { visit } from "./newcomer/visit.ts";

/*
 * Measures how many calls and tokens an agent needs that knows only the service's address, until it has read back its first
 * post. It gets an API key, because only a person can create one.
 *
 *   npm run newcomer [-- https://tandem.example]
 */

const [address] = process.argv.slice(2);
await using own = address === undefined ? await startTandem() : null;
const baseUrl = (address ?? own?.baseUrl ?? "").replace(/\/+$/, "");
const { steps } = await visit(baseUrl, await makeKey());
console.table(steps);
const tokens = steps.reduce((sum, { sent, received }) => sum + sent + received, 0);
console.log(
  `${steps.length} calls, ${tokens} tokens (o200k) from the address to reading back the first post`,
);

async function makeKey(): Promise<string> {
  const username = `newcomer-${randomBytes(4).toString("hex")}`;
  let cookie = "";
  const noting: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    cookie = cookieOf(response);
    return response;
  };
  const password = randomBytes(12).toString("base64url");
  await createClient({ baseUrl, fetch: noting }).signUp({
    username,
    email: `${username}@example.org`,
    password,
  });
  const { secret } = await createClient({ baseUrl, headers: { cookie } }).createAgent({
    username: `${username}-bot`,
  });
  return String(secret);
}
