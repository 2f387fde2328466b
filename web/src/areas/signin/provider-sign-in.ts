import type { Client } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import type { Provider } from "../../data/providers.ts";

/** What is remembered while one is at the provider's. */
interface PendingSignIn {
  name: Provider["name"];
  next: string;
  /** Comes back as it was sent, so that nobody else's answer is taken for it. */
  state: string;
}

export interface ProviderCredential {
  name: Provider["name"];
  idToken: string;
  /** Apple says it once, beside its token. */
  fullName?: string;
  next: string;
}

const STORAGE_KEY = "tandem.errand";

/**
 * Sends the browser to a provider's own page, from where it comes back to `/login` with an ID token behind the `#`. Whoever
 * asks Apple for a name has the answer posted, and the service puts it there.
 */
export async function goToProvider(api: Client, { name, clientId, authorizeUrl }: Provider, next: string) {
  const { nonce } = await api.beginSignIn();
  const state = crypto.getRandomValues(new Uint32Array(4)).join("-");
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ name, next, state } satisfies PendingSignIn));
  const address = new URL(authorizeUrl);
  const params = {
    client_id: clientId,
    redirect_uri: `${location.origin}/login`,
    nonce,
    state,
    ...(name === "google"
      ? { response_type: "id_token", scope: "openid email profile" }
      : { response_type: "code id_token", response_mode: "form_post", scope: "name email" }),
  };
  for (const [key, value] of Object.entries(params)) address.searchParams.set(key, value);
  location.assign(address);
}

/** What a provider sent along, taken out of the address; null where nothing was asked for, or the person thought better of it. */
export function takeProviderCredential(): ProviderCredential | null {
  const answer = new URLSearchParams(location.hash.slice(1));
  const idToken = answer.get("id_token");
  const pending = readPending();
  // Whatever becomes of it, it isn't left in the address.
  if (idToken !== null || answer.has("state"))
    history.replaceState(history.state, "", location.pathname + location.search);
  if (!pending || pending.state !== answer.get("state")) return null;
  sessionStorage.removeItem(STORAGE_KEY);
  const { name, next } = pending;
  return idToken === null ? null : { name, idToken, next, ...fullNameFrom(answer.get("user")) };
}

/** What somebody is called, as Apple writes it; nothing where it says no name. */
function fullNameFrom(user: string | null): Pick<ProviderCredential, "fullName"> {
  try {
    const { name } = JSON.parse(user ?? "{}");
    const fullName = [name.firstName, name.lastName]
      .filter((part) => typeof part === "string")
      .join(" ")
      .trim();
    return fullName ? { fullName: [...fullName].slice(0, limits.fullName).join("") } : {};
  } catch {
    return {};
  }
}

function readPending(): PendingSignIn | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
  } catch {
    return null;
  }
}
