import { limits } from "@tandem/contract/limits";
import type { MailKind, TokenPurpose } from "../../storage/schema/accounts.ts";

/** What a letter says, and the token that its link needs. */
interface Template {
  subject: string;
  /** The page that its link leads to, how long the token holds, in milliseconds, and what it is good for. */
  link?: { page: string; purpose: TokenPurpose; lasts: number };
  says(username: string, link: string): string[];
}

const HOUR = 3_600_000;
const notYou =
  "If that wasn't you, somebody else may have your password: set a new one at once, which ends all sessions.";

export const letters: Record<MailKind, Template> = {
  confirm_email: {
    subject: "Confirm your address",
    link: { page: "/account/confirm", purpose: "confirm_email", lasts: limits.confirmationHours * HOUR },
    says: (username, link) => [
      `Hello ${username},`,
      "please confirm that this is your address, by this link:",
      link,
      `It serves once, within ${limits.confirmationHours} hours. If you have no account at Tandem, leave this letter alone.`,
    ],
  },
  reset_password: {
    subject: "A new password",
    link: { page: "/account/reset", purpose: "reset_password", lasts: limits.resetMinutes * 60_000 },
    says: (username, link) => [
      `Hello ${username},`,
      "a new password was asked for with your address. You can set one by this link:",
      link,
      `It serves once, within ${limits.resetMinutes} minutes. If it wasn't you who asked, leave this letter alone: nothing has changed.`,
    ],
  },
  email_changed: {
    subject: "Your address was changed",
    says: (username) => [
      `Hello ${username},`,
      "your account at Tandem has another address now, and letters about it go there.",
      notYou,
    ],
  },
  password_changed: {
    subject: "Your password was changed",
    says: (username) => [`Hello ${username},`, "your account at Tandem has a new password.", notYou],
  },
  two_factor_changed: {
    subject: "How you sign in was changed",
    says: (username) => [
      `Hello ${username},`,
      "the ways to sign in to your account at Tandem were changed: a passkey was added or removed, or codes were switched on or off, or recovery codes made anew.",
      notYou,
    ],
  },
};
