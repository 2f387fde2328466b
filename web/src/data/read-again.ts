import type { QueryClient } from "@tanstack/react-query";

/**
 * What is being read now may have been read before a change that the page already shows, and would undo it. Returns a function, for
 * after the change, that reads it again.
 */
export function readAgainLater(queryClient: QueryClient): () => void {
  const reading = queryClient.getQueryCache().findAll({ fetchStatus: "fetching" });
  return () => {
    for (const query of reading) {
      const { queryKey } = query;
      const again = () => queryClient.invalidateQueries({ queryKey, exact: true });
      // Without the wait, a first read that is under way would count as the second one.
      void query.promise?.then(again, again);
    }
  };
}
