import type { AuthorizationRequest } from "@tandem/contract/apps";
import { withoutHidden } from "@tandem/contract/hidden-text";
import { limits } from "@tandem/contract/limits";

/** What people are told about an app that asks for access. */
export type AppDetails = Pick<AuthorizationRequest, "app" | "receiver" | "redirectHost">;

/** `redirectUri` is null for an app on a device without a browser. */
export function appDetails(
  clientId: string,
  name: string | undefined,
  redirectUri: string | null,
): AppDetails {
  const redirectHost = redirectUri === null ? null : websiteOf(redirectUri);
  const isVerified = isDocument(clientId);
  const host = isVerified ? new URL(clientId).host : redirectHost;
  return {
    app: { name: shownName(name) || host || "?", host, isVerified },
    receiver: redirectUri === null ? "other_device" : redirectHost === null ? "this_device" : "website",
    redirectHost,
  };
}

/** Whether a client id is the URL of a document that describes the app. */
export function isDocument(clientId: string): boolean {
  return /^https:\/\//i.test(clientId) && URL.canParse(clientId);
}

function shownName(name: string | undefined): string {
  const line = withoutHidden(name ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return [...line].slice(0, limits.keyName).join("").trim();
}

/** The host of a website; null for an app on this device: `http` is only possible there. */
function websiteOf(redirectUri: string): string | null {
  const { protocol, host } = new URL(redirectUri);
  return protocol === "https:" ? host : null;
}
