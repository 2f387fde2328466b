import type { Provider } from "@tandem/contract/account-resources";
import type { ImportPart, ImportPlatform, ImportProblem, importStates } from "@tandem/contract/imports";
import type { EmailDigest, ProfileLink } from "@tandem/contract/resources";
import type { Generated } from "kysely";

/** What a token can be used for. */
export type TokenPurpose = "confirm_email" | "reset_password" | "add_passkey" | "passkey_sign_in";

/** A single-use secret, usually sent by email. Only its hash is stored. */
export interface TokenRow {
  hash: string;
  purpose: TokenPurpose;
  user_id: number | null;
  /** The email address that it was sent to. */
  about: string | null;
  expires_at: number;
}

/** The template of an email. */
export type MailKind =
  | "confirm_email"
  | "reset_password"
  | "email_changed"
  | "password_changed"
  | "two_factor_changed"
  | "sign_up_approved"
  | "verified_sign_up_approved"
  | "sign_up_refused";

/** A queued email. It contains no secrets: tokens are created when it is sent. */
export interface MailRow {
  id: Generated<number>;
  /** Null if the recipient has no account. */
  user_id: number | null;
  /** The recipient's name, if they have no account. */
  username: string | null;
  /** What an admin adds. */
  note: string | null;
  kind: MailKind;
  address: string;
  /** JSON of what its cause ended, if the mail tells that. */
  ended: Generated<string | null>;
  attempts: Generated<number>;
  due_at: number;
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
}

/** Someone's digest by email. Stays after it is turned off, so that its link can be opened again. */
export interface DigestRow {
  user_id: number;
  every: EmailDigest;
  /** For the link that turns it off, in every mail alike. It can do nothing else, so it isn't hashed. */
  token: string;
  /** The last post that was told, or was there when the digest was chosen: the next one is about posts with higher ids. */
  told_upto: number;
  attempts: Generated<number>;
  /** When the next one is sent; null if it is off. */
  due_at: number | null;
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
}

/** A sign-up that waits for approval. It isn't an account: nothing but the list for admins and the log-in reads it. */
export interface SignUpRequestRow {
  id: Generated<number>;
  username: string;
  username_key: string;
  email: string;
  email_key: string;
  email_verified: number;
  /** Null for a sign-up through a provider. */
  password_hash: string | null;
  display_name: string | null;
  provider: Provider["name"] | null;
  /** The provider's id of the user. */
  subject: string | null;
  reason: string | null;
  created_at: number;
}

/** An invitation to sign up. */
export interface InvitationRow {
  id: Generated<number>;
  /** Who created it; null if the command line did. */
  user_id: number | null;
  /** 1 if an admin did; it then works only as long as they are one. */
  by_admin: Generated<number>;
  code: string;
  /** How many people can sign up with it, and how many have. */
  uses: number;
  used: Generated<number>;
  expires_at: number;
  created_at: number;
}

/** An account's authenticator app (TOTP). */
export interface SecondFactorRow {
  user_id: number;
  /** In base32. */
  secret: string;
  /** Null until the first code was entered, which proves that the app has the secret. */
  confirmed_at: number | null;
  /** The time step of the last accepted code, so that each code works only once. */
  last_step: Generated<number>;
}

/** An unused recovery code. */
export interface RecoveryCodeRow {
  user_id: number;
  hash: string;
}

/** A passkey's public half. */
export interface PasskeyRow {
  id: Generated<number>;
  user_id: number;
  /** The WebAuthn credential id, in base64url. */
  credential: string;
  /** COSE, in base64url. */
  public_key: string;
  /** The authenticator's signature counter; 0 if it has none. */
  counter: number;
  /** Whether it is synced between devices. */
  synced: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** An import of an account's export from another platform. */
export interface ImportRow {
  id: Generated<number>;
  /** Null once the account is deleted; the file is then deleted too. */
  user_id: number | null;
  platform: ImportPlatform;
  /** Comma-separated. */
  parts: string;
  state: (typeof importStates)[number];
  problem: Generated<ImportProblem | null>;
  /** Its name in media storage; null once it is deleted. */
  file: string | null;
  /** How many items were dealt with: where an interrupted import continues. */
  done: Generated<number>;
  total: Generated<number | null>;
  /** JSON of the contract's `ImportCount`s. */
  counts: string;
  /** JSON of the contract's `MissingItem`s. */
  missing: string;
  created_at: number;
  finished_at: Generated<number | null>;
  attempts: Generated<number>;
  /** When work on it is due; null once it has ended. */
  due_at: number | null;
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
}

/** What an import added, apart from posts. */
export interface ImportAdditionRow {
  id: Generated<number>;
  import_id: number;
  part: Exclude<ImportPart, "posts">;
  /** A followed creator, a mute, a saved post or the creator on a list. Null for communities, and for the list itself. */
  target_id: number | null;
  list_id: number | null;
  /** The key of a followed community. */
  name: string | null;
}

/** An export of an account's data, as one file. */
export interface ExportRow {
  id: Generated<number>;
  /** Null once the account is deleted; the file is then deleted too. */
  user_id: number | null;
  /** Its name in media storage, recorded before the file is written so that no file is orphaned. */
  file: string;
  ready: Generated<number>;
  bytes: number | null;
  attempts: Generated<number>;
  /** The process that is creating it. */
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
  /** When it is created; null once it is ready or has failed. */
  due_at: number | null;
  expires_at: number;
}

/** A link on a profile, and the state of its checks. */
export interface ProfileLinkRow {
  id: Generated<number>;
  user_id: number;
  /** Its place in the profile's list. */
  position: number;
  url: string;
  /** The URL's host; one link per host is checked at a time. */
  host: string;
  /** When it last pointed back; null if it isn't verified. */
  verified_at: Generated<number | null>;
  /** When it was last checked; null while it waits for its first check, or for one that its owner requested. */
  checked_at: Generated<number | null>;
  problem: Generated<ProfileLink["problem"] | null>;
  /** Unsuccessful results since it was added, verified or requested. */
  misses: Generated<number>;
  /** Attempts in a row that couldn't read the page. */
  attempts: Generated<number>;
  /** When it is checked next; null: not until its owner asks. */
  due_at: number | null;
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
}
