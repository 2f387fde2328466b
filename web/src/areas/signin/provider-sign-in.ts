import type { Client } from "@tandem/client";
import type { Provider } from "../../data/providers.ts";

/** What is remembered while one is at the provider's. */
interface Errand {
  name: Provider["name"];
  next: string;
  /** Comes back as it was sent, so that nobody else's answer is taken for it. */
  state: string;
}

export interface Vouched {
  name: Provider["name"];
  idToken: string;
  next: string;
}

const KEPT = "tandem.errand";

/** Sends the browser to a provider's own page, from where it comes back to `/login` with an ID token behind the `#`. */
export async function goToProvider(api: Client, { name, clientId, authorizeUrl }: Provider, next: string) {
  const { nonce } = await api.beginSignIn();
  const state = crypto.getRandomValues(new Uint32Array(4)).join("-");
  sessionStorage.setItem(KEPT, JSON.stringify({ name, next, state } satisfies Errand));
  const address = new URL(authorizeUrl);
  const asks = {
    client_id: clientId,
    redirect_uri: `${location.origin}/login`,
    nonce,
    state,
    ...(name === "google"
      ? { response_type: "id_token", scope: "openid email profile" }
      : // With a name or an address Apple would post the answer to a server, which has no use for it.
        { response_type: "code id_token", response_mode: "fragment" }),
  };
  for (const [key, value] of Object.entries(asks)) address.searchParams.set(key, value);
  location.assign(address);
}

/** What a provider sent along, taken out of the address; null where nothing was asked for, or nothing came. */
export function takeAnswer(): Vouched | null {
  const answer = new URLSearchParams(location.hash.slice(1));
  const idToken = answer.get("id_token");
  const errand = readErrand();
  if (idToken === null || !errand || errand.state !== answer.get("state")) return null;
  sessionStorage.removeItem(KEPT);
  history.replaceState(history.state, "", location.pathname + location.search);
  return { name: errand.name, idToken, next: errand.next };
}

function readErrand(): Errand | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}
