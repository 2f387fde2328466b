import { MINUTE } from "@tandem/contract/durations";
import { useEffect, useEffectEvent } from "react";
import { useMe } from "./me.ts";

const KEY = "tandem.afterLogin";
/** Who comes back later may have changed their mind. Milliseconds. */
const LASTS = 30 * MINUTE;

/**
 * Remembers what a stranger was about to do, such as `like post 7`, while they log in or sign up in this tab. It isn't part of the
 * log-in page's address, so no link can make anyone do something.
 */
export function rememberForAfterLogin(action: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ action, at: Date.now() }));
  } catch {
    // Without storage, they can do it again.
  }
}

function takeRemembered(action: string): boolean {
  try {
    const remembered = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    if (remembered.action !== action) return false;
    sessionStorage.removeItem(KEY);
    return Date.now() - remembered.at < LASTS;
  } catch {
    return false;
  }
}

/** Does what the reader was about to do before they logged in, once. */
export function useAfterLogin(action: string, run: () => void): void {
  const isSignedIn = useMe() !== null;
  const runLatest = useEffectEvent(run);
  useEffect(() => {
    if (isSignedIn && takeRemembered(action)) runLatest();
  }, [isSignedIn, action]);
}
