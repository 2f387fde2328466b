import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Who can sign up. */
export const registrationQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["registration"],
    // A challenge is for one sign-up, and pages may be cached: here only matters whether there is one.
    queryFn: async ({ signal }) => {
      const { mode, challenge } = await api.readRegistration({}, { signal });
      return { mode, needsProof: challenge !== null };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Your invitations. */
export const invitationsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "invitations"],
    queryFn: async ({ signal }) => (await api.listInvitations({}, { signal })).invitations,
  });
