import type { Generated } from "kysely";

/** What a token is good for. */
export type TokenPurpose = "confirm_email" | "reset_password" | "add_passkey" | "passkey_sign_in";

/** A secret that somebody was sent and that serves once; only its hash is here. */
export interface TokenRow {
  hash: string;
  purpose: TokenPurpose;
  user_id: number | null;
  /** The address that it was sent to. */
  about: string | null;
  expires_at: number;
}

/** What a mail says. */
export type MailKind =
  | "confirm_email"
  | "reset_password"
  | "email_changed"
  | "password_changed"
  | "two_factor_changed";

/** A mail that is to be sent. It holds no secret: those are made when it goes out. */
export interface MailRow {
  id: Generated<number>;
  user_id: number;
  kind: MailKind;
  address: string;
  attempts: Generated<number>;
  due_at: number;
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
}

export interface SecondFactorRow {
  user_id: number;
  /** In base32. */
  secret: string;
  /** Null until a first code proved that the authenticator has it. */
  confirmed_at: number | null;
  /** The time step of the last code that was taken: none serves twice. */
  last_step: Generated<number>;
}

export interface RecoveryCodeRow {
  user_id: number;
  hash: string;
}

/** A key of somebody's device; here is its public half. */
export interface PasskeyRow {
  id: Generated<number>;
  user_id: number;
  /** Its own id, in base64url. */
  credential: string;
  /** COSE, in base64url. */
  public_key: string;
  /** How often it says to have been used; 0 where it doesn't count. */
  counter: number;
  synced: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** The file with all of an account's data. */
export interface ExportRow {
  id: Generated<number>;
  /** Null once the account is gone: then the file is to go. */
  user_id: number | null;
  /** As it is stored: named before it is made, so that none is forgotten. */
  file: string;
  ready: Generated<number>;
  bytes: number | null;
  attempts: Generated<number>;
  /** Who makes it. */
  holder: Generated<string | null>;
  lease_ends_at: Generated<number | null>;
  /** When it is created; null once it is ready or has failed. */
  due_at: number | null;
  expires_at: number;
}
