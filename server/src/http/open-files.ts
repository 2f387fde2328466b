import { open } from "node:fs/promises";
import { MINUTE, SECOND } from "@tandem/contract/durations";

interface Log {
  error(facts: object, message: string): void;
}

/** The process or the system has as many files open as it may. */
const TOO_MANY = /^(EMFILE|ENFILE)$/;

/**
 * Logs when no more files can be opened, at most once a minute. Nothing else would: the system library closes new connections then
 * without telling Node.js. Returns a function that ends it.
 */
export function watchOpenFiles(log: Log, every = SECOND): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const look = async () => {
    try {
      await (await open("/dev/null")).close();
    } catch (err) {
      const now = performance.now();
      if (!TOO_MANY.test(String((err as NodeJS.ErrnoException).code)) || now - loggedAt < MINUTE) return;
      loggedAt = now;
      log.error(
        { err },
        "too many files are open, so new connections are closed: raise the limit (ulimit -n)",
      );
    }
  };
  const timer = setInterval(() => void look(), every).unref();
  return () => clearInterval(timer);
}
