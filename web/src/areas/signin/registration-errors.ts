import type { Translate } from "../../i18n/use-text.tsx";

const texts = {
  weak_password: "signin.weakPassword",
  approval_pending: "signin.pending",
  registration_closed: "signin.closedDescription",
  invitation_required: "signin.invitationRequired",
  invalid_invitation: "signin.invitationInvalid",
  proof_required: "signin.proofFailed",
} as const;

/** The text of an error that is about getting an account; null for others. */
export function registrationError(code: string, t: Translate): string | null {
  return code in texts ? t(texts[code as keyof typeof texts]) : null;
}
