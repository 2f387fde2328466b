import { type FlatClient, TandemError } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** What an app asks for; null if the request has expired or was answered. */
export const authorizationRequestQuery = (api: FlatClient, request: string) =>
  queryOptions({
    queryKey: ["authorization request", request],
    queryFn: async ({ signal }) => {
      try {
        return (await api.readAuthorizationRequest({ request }, { signal })).request;
      } catch (error) {
        const isGone =
          error instanceof TandemError && (error.code === "not_found" || error.code === "invalid_input");
        if (isGone) return null;
        throw error;
      }
    },
    // Once read, an answer ends it.
    staleTime: Number.POSITIVE_INFINITY,
  });
