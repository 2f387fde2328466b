import type { Generated } from "kysely";

/** What the authorization server remembers: registered apps, requests, codes and refresh tokens. */
export type OAuthRecordKind =
  | "AuthorizationCode"
  | "Client"
  | "DeviceCode"
  | "Interaction"
  | "RefreshToken"
  | "ReplayDetection";

export interface OAuthRecordRow {
  /** Of its kind and its id, which is a secret. For a registered app, `Client:` and its id, which is none. */
  hash: string;
  kind: OAuthRecordKind;
  /** JSON, without the id. */
  payload: string;
  /** The key of the grant that it belongs to; null if it isn't part of one yet. */
  key_id: number | null;
  /** The hash of the code that a device shows. */
  user_code: string | null;
  /** When a code or refresh token was redeemed; each works once. */
  used_at: Generated<number | null>;
  expires_at: number;
}
