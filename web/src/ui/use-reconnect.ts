import { useEffect, useEffectEvent } from "react";

/** Milliseconds between two connection checks. */
const CHECK_INTERVAL = 3_000;

/** Being online doesn't mean that the server can be reached. */
export async function isServerReachable(): Promise<boolean> {
  const request = fetch("/manifest.webmanifest", { method: "HEAD", cache: "no-store" });
  return request.then(
    ({ ok }) => ok,
    () => false,
  );
}

/** While the connection is lost, calls `onReconnect` once the server can be reached. */
export function useReconnect(isLost: boolean, onReconnect: () => void): void {
  const check = useEffectEvent(async () => {
    if (await isServerReachable()) onReconnect();
  });
  useEffect(() => {
    if (!isLost) return;
    const onOnline = () => void check();
    const timer = setInterval(() => navigator.onLine && check(), CHECK_INTERVAL);
    addEventListener("online", onOnline);
    return () => {
      clearInterval(timer);
      removeEventListener("online", onOnline);
    };
  }, [isLost]);
}
