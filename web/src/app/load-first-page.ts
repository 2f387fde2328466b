import { TandemError } from "@tandem/client";
import type { QueryClient } from "@tanstack/react-query";
import type { Router } from "../router/router.ts";
import { NotFound } from "../shared/page.ts";
import { isPassing } from "./passing-error.ts";

/** Milliseconds before a file is requested again, first and at most. */
const PAUSE = { first: 500, max: 30_000 };

/**
 * Loads what the document needs to hydrate, as often as it takes: under load or on a bad line, a file may fail. Until then the document
 * stays as it is, and its links work. An error in its place would be worse, and a mismatch, as the server had no error.
 */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.max)) {
    try {
      return await load();
    } catch (error) {
      // Otherwise a fault of the app would look like a bad line.
      console.warn(error);
      await new Promise<unknown>((resolve) => {
        setTimeout(resolve, pause);
        addEventListener("online", resolve, { once: true });
      });
    }
  }
}

/** Loads the page of the document. `hasFailed`: some of its data failed on the server, too, so it may be missing. */
export const loadFirstPage = (
  router: Router,
  queryClient: QueryClient,
  href: string,
  hasFailed: boolean,
): Promise<void> =>
  untilLoaded(async () => {
    await router.load(href, true);
    const { error } = router.view ?? {};
    const queries = queryClient.getQueryCache().getAll();
    const errors = [error, ...queries.map(({ state }) => state.error)].filter((one) => one != null);
    const failure = errors.find(
      (one) => !(one instanceof NotFound) && isPassing(one) && !(hasFailed && one instanceof TandemError),
    );
    if (failure) throw failure;
  });
