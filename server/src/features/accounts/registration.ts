import { ApiError } from "../../http/api-error.ts";
import type { Context, Handlers } from "../../http/context.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { claimInvitation, requireInvitation } from "./invitations.queries.ts";
import { makeChallenge } from "./proof-of-work.ts";

export const registration = {
  async readRegistration({ services, now }) {
    return {
      mode: services.config.registration,
      challenge: await makeChallenge(services, now),
      sendsEmail: services.mailer.delivers,
    };
  },
} satisfies Handlers<"readRegistration">;

type Code = string | null | undefined;

/** Refuses who can't sign up, before anything costly is done. Throws the errors of `admit`. */
export async function requireAdmission(ctx: Context, invitation: Code): Promise<void> {
  refuseUninvited(ctx, invitation);
  if (invitation != null) await requireInvitation(ctx, invitation);
}

/** Whether a sign-up needs no approval: with an invitation, or where anyone can sign up. */
export function skipsApproval({ services }: Context, invitation: Code): boolean {
  return invitation != null || services.config.registration === "open";
}

/** How a new person gets in. */
export interface Admission {
  /** The account that invited them. */
  invitedBy: number | null;
  /** Whether an admin has to approve them first. */
  waits: boolean;
}

/**
 * Admits a new person, and counts the use of their invitation. Everything that creates a person's account calls this, except the
 * command line. Throws `registration_closed`, `invitation_required` or `invalid_invitation`.
 */
export async function admit(ctx: Context, tx: Db, invitation: Code): Promise<Admission> {
  refuseUninvited(ctx, invitation);
  if (invitation != null) return { invitedBy: await claimInvitation(ctx, tx, invitation), waits: false };
  return { invitedBy: null, waits: ctx.services.config.registration === "approval" };
}

/** Throws `registration_closed` where no one can sign up. */
export function requireOpen({ config }: Services): void {
  if (config.registration === "closed") throw new ApiError("registration_closed");
}

function refuseUninvited({ services }: Context, invitation: Code): void {
  requireOpen(services);
  if (services.config.registration === "invitation" && invitation == null)
    throw new ApiError("invitation_required", undefined, { field: "invitation" });
}
