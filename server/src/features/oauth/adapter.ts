import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import type { Services } from "../../http/services.ts";
import type { OAuthRecordKind } from "../../storage/schema/oauth.ts";
import { findGrant, findGrantByToken, type Grant, setAccessToken } from "../keys/grants.queries.ts";
import { appDetails } from "./app-details.ts";
import { endAccess, UsedTwice } from "./end-grant.ts";
import { OAuthError } from "./oauth-error.ts";
import {
  deleteRecord,
  type FoundRecord,
  findRecord,
  insertRecord,
  redeem,
  storeRecord,
} from "./records.queries.ts";
import { onSuccess, requestState } from "./request-changes.ts";
import { toOAuth } from "./scopes.ts";

/** Where the protocol's library keeps what it remembers. */
export function adapterOf(services: Services): (kind: string) => Adapter {
  return (kind) => {
    switch (kind) {
      case "AccessToken":
        return new AccessTokens(services);
      case "Grant":
        return new Grants(services);
      case "AuthorizationCode":
      case "Client":
      case "DeviceCode":
      case "Interaction":
      case "RefreshToken":
        return new Records(services, kind);
      case "ReplayDetection":
        return new Signatures(services);
      default:
        return new Nothing(services);
    }
  };
}

/** Remembers nothing: people's sessions are Tandem's own. */
class Nothing implements Adapter {
  protected readonly services: Services;

  constructor(services: Services) {
    this.services = services;
  }

  async upsert(_id: string, _payload: AdapterPayload, _seconds?: number): Promise<void> {}

  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {}

  async findByUid(): Promise<undefined> {}

  async consume(_id: string): Promise<void> {}

  async destroy(_id: string): Promise<void> {}

  /** A grant is a key, and everything that belongs to it goes with it. */
  async revokeByGrantId(grantId: string): Promise<void> {
    const reason = Provider.ctx?.oidc.route === "revocation" ? "revoked by the app" : "used twice";
    await endAccess(this.services, grantId, { reason, address: requestState().address });
  }
}

/** The grant itself. Someone who authorizes an app creates it. */
class Grants extends Nothing {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await findGrant(this.services.storage.read, Number(id));
    if (!grant) return undefined;
    const resources = { [this.services.baseUrl]: toOAuth(grant.scopes) };
    const exp = libraryTime(this.services, grant.expiresAt);
    return { ...common(grant), resources, jti: id, kind: "Grant", exp };
  }

  override async destroy(id: string): Promise<void> {
    await this.revokeByGrantId(id);
  }
}

/** An access token is the secret of its grant's key. */
class AccessTokens extends Nothing {
  override async upsert(token: string, { grantId }: AdapterPayload, seconds = 0): Promise<void> {
    const end = this.services.now() + seconds * 1000;
    onSuccess(async (tx) => {
      if (!(await setAccessToken(tx, Number(grantId), token, end))) throw ended();
    });
  }

  override async find(token: string): Promise<AdapterPayload | undefined> {
    const grant = await findGrantByToken(this.services.storage.read, token);
    if (!grant || grant.tokenExpiresAt === null) return undefined;
    const exp = libraryTime(this.services, grant.tokenExpiresAt);
    return { ...common(grant), jti: token, kind: "AccessToken", format: "opaque", exp };
  }
}

function common({ keyId, ownerId, clientId, scopes }: Grant): AdapterPayload {
  return { grantId: String(keyId), accountId: String(ownerId), clientId, scope: toOAuth(scopes) };
}

/** Codes, refresh tokens, requests and registered apps. */
class Records extends Nothing {
  readonly #kind: OAuthRecordKind;

  constructor(services: Services, kind: OAuthRecordKind) {
    super(services);
    this.#kind = kind;
  }

  override async upsert(id: string, given: AdapterPayload, seconds?: number): Promise<void> {
    const { jti: _, userCode, ...payload } = given;
    const life = seconds === undefined ? limits.unusedAppHours * HOUR : seconds * 1000;
    const record = {
      kind: this.#kind,
      id,
      payload: { ...payload, ...this.#details(payload) },
      keyId: payload.grantId === undefined ? null : Number(payload.grantId),
      userCode,
      expiresAt: this.services.now() + life,
    };
    onSuccess(async (tx) => {
      if (!(await storeRecord(tx, record))) throw ended();
    });
  }

  /** With a request, what people are told about the app that makes it. */
  #details({ params }: AdapterPayload): object {
    const client = Provider.ctx?.oidc.client;
    if (!client || !(this.#kind === "Interaction" || this.#kind === "DeviceCode")) return {};
    const redirectUri = this.#kind === "Interaction" ? String(params?.redirect_uri) : null;
    return { details: appDetails(client.clientId, client.clientName, redirectUri) };
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await findRecord(this.services.storage.read, this.#kind, id);
    return found && this.#asPayload(id, found);
  }

  #asPayload(id: string, { payload, usedAt, expiresAt }: FoundRecord): AdapterPayload | undefined {
    const { details: _, ...rest } = payload;
    // An app that someone authorized is kept for longer. The sweep knows.
    if (this.#kind === "Client") return rest;
    const exp = libraryTime(this.services, expiresAt);
    return { ...rest, jti: id, exp, ...(usedAt !== null && { consumed: Math.floor(usedAt / 1000) }) };
  }

  override async consume(id: string): Promise<void> {
    const time = this.services.now();
    onSuccess(async (tx) => {
      const { isFirst, keyId } = await redeem(tx, this.#kind, id, time);
      if (!isFirst) throw new UsedTwice(keyId);
    });
  }

  override async destroy(id: string): Promise<void> {
    onSuccess(async (tx) => {
      const wasThere = await deleteRecord(tx, this.#kind, id);
      // The answer to a request gives one code, however often the browser comes back at the same time.
      if (!wasThere && this.#kind === "Interaction") throw answered();
    });
  }
}

/** Signatures by which apps with a key have identified themselves. Each works once, also if the request fails. */
class Signatures extends Records {
  constructor(services: Services) {
    super(services, "ReplayDetection");
  }

  override async upsert(id: string, _payload: AdapterPayload, seconds = 0): Promise<void> {
    const { storage, now } = this.services;
    const expiresAt = now() + seconds * 1000;
    const record = { kind: "ReplayDetection", id, payload: {}, keyId: null, expiresAt } as const;
    if (!(await storage.write((tx) => insertRecord(tx, record))))
      throw new errors.InvalidClientAuth("client assertion tokens must only be used once");
  }
}

/** The library reads the system's clock. */
function libraryTime({ now }: Services, time: number): number {
  return Math.floor((Date.now() + time - now()) / 1000);
}

function ended(): Error {
  return new OAuthError("invalid_grant", "the grant has ended");
}

function answered(): Error {
  return new OAuthError("invalid_request", "This request has expired or was already answered.");
}
