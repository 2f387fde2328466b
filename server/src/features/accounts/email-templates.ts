import type { AccountAccess, EndedAccess } from "@tandem/contract/account-resources";
import { HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { counted } from "../../http/duration.ts";
import type { MailKind, TokenPurpose } from "../../storage/schema/accounts.ts";

/** A mail's text, and the token that its link needs. */
interface Template {
  subject: string;
  /** The page that its link opens, and its token's purpose and lifetime in milliseconds. */
  link?: { page: string; purpose: TokenPurpose; lasts: number };
  /** `added`: what was ended and what else opens the account, or a moderator's note. */
  paragraphs(username: string, link: string, added: readonly string[]): string[];
  /** Whether it says what was ended and what else opens the account. */
  listsAccess?: true;
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
    listsAccess: true,
    paragraphs: (username, _link, access) => [
      `Hello ${username},`,
      "The password of your Tandem account was changed.",
      ...access,
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
  sign_up_approved: {
    subject: "Your account is ready",
    link: { page: "/account/confirm", purpose: "confirm_email", lasts: limits.confirmationHours * HOUR },
    paragraphs: (username, link) => [
      `Hello ${username},`,
      "An admin approved your Tandem account. Log in and confirm your email address:",
      link,
      `The link works once and expires in ${limits.confirmationHours} hours. After that, you can still log in as usual.`,
    ],
  },
  verified_sign_up_approved: {
    subject: "Your account is ready",
    paragraphs: (username) => [
      `Hello ${username},`,
      "An admin approved your Tandem account. You can now log in, the way you signed up.",
    ],
  },
  sign_up_refused: {
    subject: "Your sign-up was declined",
    paragraphs: (username, _link, notes) => [
      `Hello ${username},`,
      "An admin declined your request for a Tandem account, and we deleted it.",
      ...notes.map((reason) => `The admin's reason: ${reason}`),
      `Our log of what admins do keeps the username${notes.length > 0 ? " and the reason" : ""}.`,
    ],
  },
};

/** What opens an account besides its password, and where to end it; null if nothing does. */
export function describeAccess(access: AccountAccess, baseUrl: string): string | null {
  const parts = partsOf(access);
  if (parts.length === 0) return null;
  return `The new password doesn't end everything that opens your account. It still has: ${parts.join(", ")}. If you don't recognize one of these, log in and end them all: ${baseUrl}/settings/security`;
}

/** What a reset ended besides the password; null if there was nothing. */
export function describeEnded({ sessions, twoFactor, ...access }: EndedAccess): string | null {
  const parts = [
    ...(sessions > 0 ? [counted(sessions, "session")] : []),
    ...partsOf({ sessions, ...access }),
    ...(twoFactor ? ["two-factor authentication"] : []),
  ];
  if (parts.length === 0) return null;
  return `This also ended what opened your account before: ${parts.join(", ")}. Set up again what you still need.`;
}

function partsOf({ passkeys, keys, webhooks, streamKeys, providers }: AccountAccess): string[] {
  return [
    counted(passkeys, "passkey"),
    counted(keys, "API key"),
    counted(webhooks, "webhook"),
    counted(streamKeys, "stream key"),
    ...providers.map((name) => `sign-in with ${name}`),
  ].filter((part) => !part.startsWith("0 "));
}
