import { startTandem, type Tandem } from "./tandem.ts";

export const HOOK_SECRET = "said-by-the-streaming-server";

/** Settings for a streaming server that doesn't exist: the test sends its hooks. */
export const streamingSettings = {
  LIVE_INGEST_URL: "rtmp://stream.example/live/",
  LIVE_URL: "https://stream.example/hls/",
  LIVE_HOOK_SECRET: HOOK_SECRET,
};

/** A stream as a streaming server knows it. */
export interface Stream {
  stream: string;
  key: string;
}

/** The parts of a stream key. */
export function streamOf(ingest: { streamKey: string } | null): Stream {
  const [stream = "", key = ""] = ingest?.streamKey.split("?key=") ?? [];
  return { stream, key };
}

export interface HookResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Sends a raw body to the hook. */
export async function sendHook(
  { baseUrl }: Pick<Tandem, "baseUrl">,
  body: string | Uint8Array<ArrayBuffer>,
  type = "application/x-www-form-urlencoded",
  query = `?secret=${HOOK_SECRET}`,
): Promise<HookResponse> {
  const headers = { "content-type": type };
  const response = await fetch(`${baseUrl}/hooks/live${query}`, { method: "POST", headers, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Sends a hook as nginx-rtmp does, and returns the response's status. */
export async function sendStreamEvent(
  tandem: Tandem,
  call: "publish" | "update_publish" | "publish_done",
  { stream, key }: Stream,
  client: string | number = 1,
): Promise<number> {
  const fields = { app: "live", addr: "127.0.0.1", clientid: String(client), call, name: stream, key };
  return (await sendHook(tandem, new URLSearchParams(fields).toString())).status;
}

/** Starts a service with {@link streamingSettings}. */
export function startTandemWithStreaming(
  ...[engine, options]: Parameters<typeof startTandem>
): Promise<Tandem> {
  return startTandem(engine, { ...options, env: { ...streamingSettings, ...options?.env } });
}
