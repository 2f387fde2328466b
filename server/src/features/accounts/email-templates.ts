import { HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { MailKind, TokenPurpose } from "../../storage/schema/accounts.ts";

/** A mail's text, and the token that its link needs. */
interface Template {
  subject: string;
  /** The page that its link opens, and its token's purpose and lifetime in milliseconds. */
  link?: { page: string; purpose: TokenPurpose; lasts: number };
  paragraphs(username: string, link: string): string[];
}

const notYou =
  "If this wasn't you, someone else may know your password. Set a new one now: this ends all other sessions.";

export const emailTemplates: Record<MailKind, Template> = {
  confirm_email: {
    subject: "Confirm your email address",
    link: { page: "/account/confirm", purpose: "confirm_email", lasts: limits.confirmationHours * HOUR },
    paragraphs: (username, link) => [
      `Hello ${username},`,
      "Please confirm that this is your email address:",
      link,
      `The link works once and expires in ${limits.confirmationHours} hours. If you don't have a Tandem account, ignore this email.`,
    ],
  },
  reset_password: {
    subject: "Reset your password",
    link: { page: "/account/reset", purpose: "reset_password", lasts: limits.resetMinutes * MINUTE },
    paragraphs: (username, link) => [
      `Hello ${username},`,
      "Someone asked to reset the password of your Tandem account. Choose a new one here:",
      link,
      `The link works once and expires in ${limits.resetMinutes} minutes. If you didn't ask for it, ignore this email: your password stays the same.`,
    ],
  },
  email_changed: {
    subject: "Your email address was changed",
    paragraphs: (username) => [
      `Hello ${username},`,
      "Your Tandem account now uses another email address. We'll send future emails there.",
      notYou,
    ],
  },
  password_changed: {
    subject: "Your password was changed",
    paragraphs: (username) => [
      `Hello ${username},`,
      "The password of your Tandem account was changed.",
      notYou,
    ],
  },
  two_factor_changed: {
    subject: "Your sign-in settings were changed",
    paragraphs: (username) => [
      `Hello ${username},`,
      "The sign-in settings of your Tandem account were changed: a passkey was added or removed, two-factor authentication was turned on or off, or new recovery codes were created.",
      notYou,
    ],
  },
};
