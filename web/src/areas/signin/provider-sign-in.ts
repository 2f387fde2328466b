import type { FlatClient } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import type { Provider } from "../../data/providers.ts";

/** What is remembered during the visit to the provider. */
interface PendingSignIn {
  name: Provider["name"];
  next: string;
  /** The code of an invitation, for a new account; empty without one. */
  invitation: string;
  /** The provider returns it unchanged, so that another response can't be injected. */
  state: string;
}

export interface ProviderCredential {
  name: Provider["name"];
  idToken: string;
  /** Apple sends the name only once, next to its token. */
  fullName?: string;
  invitation: string;
  next: string;
}

const STORAGE_KEY = "tandem.errand";

/**
 * Redirects to a provider, which returns to `/login` with an ID token in the URL's hash. Apple posts its
 * response if asked for a name; the server then puts it in the hash.
 */
export async function goToProvider(
  api: FlatClient,
  { name, clientId, authorizeUrl }: Provider,
  { next, invitation }: Pick<PendingSignIn, "next" | "invitation">,
) {
  const { nonce } = await api.beginSignIn();
  const state = crypto.getRandomValues(new Uint32Array(4)).join("-");
  sessionStorage.setItem(
    STORAGE_KEY,
    JSON.stringify({ name, next, invitation, state } satisfies PendingSignIn),
  );
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

/** Takes the provider's response out of the URL; null if none was expected, or the user cancelled. */
export function takeProviderCredential(): ProviderCredential | null {
  const response = new URLSearchParams(location.hash.slice(1));
  const idToken = response.get("id_token");
  const pending = readPending();
  // Remove it from the URL in any case.
  if (idToken !== null || response.has("state"))
    history.replaceState(history.state, "", location.pathname + location.search);
  if (!pending || pending.state !== response.get("state")) return null;
  sessionStorage.removeItem(STORAGE_KEY);
  const { name, next, invitation } = pending;
  return idToken === null ? null : { name, idToken, next, invitation, ...fullNameFrom(response.get("user")) };
}

/** The user's full name from Apple's response, if it has one. */
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
