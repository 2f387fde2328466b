import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** The columns that are encrypted, by table, with each table's primary key. */
export const secretColumns = {
  second_factors: { key: "user_id", columns: ["secret"] },
  webhooks: { key: "id", columns: ["secret", "old_secret"] },
  hub_subscriptions: { key: "id", columns: ["secret"] },
  sign_up_key: { key: "id", columns: ["secret"] },
  push_key: { key: "id", columns: ["private_key"] },
  log_keys: { key: "kid", columns: ["private_key"] },
} as const;

export type SecretTable = keyof typeof secretColumns;

const ALGORITHM = "aes-256-gcm";
/** Bytes. A new random value for each encryption, as GCM requires. */
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
/** Encrypted values start with this; others were stored without a key. */
export const PREFIX = "enc1";
/** Letters of a key's id. */
export const ID_LENGTH = 16;

/**
 * Encrypts secrets that the service must be able to read, unlike passwords and API keys, of which only hashes are stored.
 * Without keys, it stores them as they are. A value is `enc1.<key id>.<IV, ciphertext and tag in base64url>`.
 */
export class SecretBox {
  /** By id, the current one first. */
  readonly #keys = new Map<string, Buffer>();

  /** `keys` have 32 bytes each. The first encrypts; the others only decrypt. */
  constructor(keys: readonly Buffer[]) {
    this.add(keys);
  }

  /** The id of the key that encrypts; null if there is none. */
  get currentId(): string | null {
    return this.#keys.keys().next().value ?? null;
  }

  /** Adds keys after those that it has. */
  add(keys: readonly Buffer[]): void {
    for (const key of keys) this.#keys.set(idOf(key), key);
  }

  hasKey(id: string): boolean {
    return this.#keys.has(id);
  }

  encrypt(table: SecretTable, secret: string): string {
    const id = this.currentId;
    const key = id === null ? undefined : this.#keys.get(id);
    if (!key) return secret;
    const iv = randomBytes(IV_LENGTH);
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(table));
    const bytes = [iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()];
    return `${PREFIX}.${id}.${Buffer.concat(bytes).toString("base64url")}`;
  }

  /** Throws if the value was encrypted with a key that isn't here, for another table, or was changed. */
  decrypt(table: SecretTable, stored: string): string {
    const [prefix, id = "", encoded = ""] = stored.split(".");
    if (prefix !== PREFIX) return stored;
    const key = this.#keys.get(id);
    if (!key)
      throw new Error(`a secret in ${table} was encrypted with the key ${id}, which SECRETS_KEY lacks`);
    const bytes = Buffer.from(encoded, "base64url");
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_LENGTH), {
      authTagLength: TAG_LENGTH,
    });
    decipher.setAAD(Buffer.from(table)).setAuthTag(bytes.subarray(-TAG_LENGTH));
    const text = decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  }
}

/** Identifies a key without revealing it. */
function idOf(key: Buffer): string {
  return createHash("sha256").update("tandem secrets").update(key).digest("hex").slice(0, ID_LENGTH);
}
