import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Who can sign up, and whether the service sends email. */
export const registrationQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["registration"],
    // A challenge is for one sign-up, and pages may be cached: here only matters whether there is one.
    queryFn: async ({ signal }) => {
      const { mode, challenge, sendsEmail } = await api.readRegistration({}, { signal });
      return { mode, needsProof: challenge !== null, sendsEmail };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Your invitations. */
export const invitationsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["account", "invitations"],
    queryFn: async ({ signal }) => (await api.listInvitations({}, { signal })).invitations,
  });
