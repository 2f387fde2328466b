import { limits } from "@tandem/contract/limits";
import { ApiError } from "../../http/api-error.ts";
import { respectPause } from "../../http/retry-after.ts";
import type { Services } from "../../http/services.ts";
import { addressAttempt, countAttempt } from "../accounts/throttle.ts";
import { checkMetadata, usedMetadata } from "./client-metadata.ts";
import { jsonObject } from "./json-object.ts";
import { OAuthError } from "./oauth-error.ts";
import { failWith, requestState } from "./request-changes.ts";

/** Bytes of an app's public keys. */
const KEYS_BYTES = 64 * 1024;

/**
 * Fetches an app's description or public keys, as every request to other servers: redirects aren't followed. Never from this service,
 * where its users could publish one.
 */
export async function fetchMetadata(services: Services, url: string): Promise<Response> {
  const { baseUrl, outgoing } = services;
  const { host } = new URL(url);
  if (host === new URL(baseUrl).host)
    return failWith(new OAuthError("invalid_client", "An app can't be described by this service."));
  await countFetch(services);
  const found = await respectPause(services, `apps of ${host}`, () =>
    outgoing(url, {
      headers: { accept: "application/json" },
      maxBytes: KEYS_BYTES,
      seconds: 5,
      redirects: 0,
    }),
  );
  const { status, headers } = found;
  const kept = ["cache-control", "expires"].flatMap((name) => [[name, headers.get(name) ?? ""] as const]);
  return new Response(usedDocument(found.bytes, url, baseUrl), {
    status,
    headers: kept.filter(([, value]) => value !== "") as [string, string][],
  });
}

async function countFetch(services: Services): Promise<void> {
  const { storage, now } = services;
  const attempt = addressAttempt("descriptions of apps", requestState().address, "appDocumentsPerAddress");
  try {
    await storage.write((tx) => countAttempt({ services, now: now() }, tx, attempt));
  } catch (error) {
    if (error instanceof ApiError) failWith(error);
    throw error;
  }
}

/** Of an app's description, what is used. What it says about a secret stays: the library then refuses it. */
function usedDocument(bytes: Buffer, url: string, baseUrl: string): Uint8Array<ArrayBuffer> | string {
  const document = jsonObject(bytes);
  if (document?.client_id !== url || bytes.length > limits.appBytes) return new Uint8Array(bytes);
  try {
    checkMetadata(document, baseUrl);
  } catch (error) {
    if (error instanceof OAuthError) failWith(error);
    throw error;
  }
  const { client_secret, token_endpoint_auth_method: method } = document;
  const isSecret = client_secret !== undefined || String(method).startsWith("client_secret");
  return JSON.stringify({ ...usedMetadata(document, baseUrl), ...(isSecret && { client_secret: "" }) });
}
