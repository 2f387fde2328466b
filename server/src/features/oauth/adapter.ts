import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import type { Services } from "../../http/services.ts";
import type { OAuthRecordKind } from "../../storage/schema/oauth.ts";
import { endGrant, findGrant, findGrantByToken, type Grant, setAccessToken } from "../keys/grants.queries.ts";
import { askingApp } from "./app-of.ts";
import { deleteRecord, type FoundRecord, findRecord, redeem, storeRecord } from "./records.queries.ts";
import { resourcesOf } from "./resources.ts";
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
      case "ReplayDetection":
        return new Records(services, kind);
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
    const { storage, log } = this.services;
    const hasEnded = await storage.write((tx) => endGrant(tx, Number(grantId)));
    if (hasEnded) log.info({ security: true, target: `key:${grantId}` }, "a grant of an app has ended");
  }
}

/** The grant itself. Someone who lets an app in creates it. */
class Grants extends Nothing {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await findGrant(this.services.storage.read, Number(id));
    return (
      grant && { ...common(grant), ...this.#scopes(grant), jti: id, kind: "Grant", exp: this.#end(grant) }
    );
  }

  override async destroy(id: string): Promise<void> {
    await this.revokeByGrantId(id);
  }

  #scopes({ scopes }: Grant) {
    const scope = toOAuth(scopes);
    return {
      resources: Object.fromEntries(resourcesOf(this.services.baseUrl).map((name) => [name, scope])),
    };
  }

  #end({ expiresAt }: Grant): number {
    return libraryTime(this.services, expiresAt);
  }
}

/** An access token is the secret of its grant's key. */
class AccessTokens extends Nothing {
  override async upsert(token: string, { grantId }: AdapterPayload, seconds = 0): Promise<void> {
    const { storage, now } = this.services;
    const end = now() + seconds * 1000;
    const isLive = await storage.write((tx) => setAccessToken(tx, Number(grantId), token, end));
    if (!isLive) throw ended();
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
    const { storage, now } = this.services;
    const { jti: _, userCode, ...payload } = given;
    const life = seconds === undefined ? limits.unusedAppHours * HOUR : seconds * 1000;
    const isStored = await storage.write((tx) =>
      storeRecord(tx, {
        kind: this.#kind,
        id,
        payload: { ...payload, ...this.#asking(payload) },
        keyId: payload.grantId === undefined ? null : Number(payload.grantId),
        userCode,
        expiresAt: now() + life,
      }),
    );
    if (!isStored) throw ended();
  }

  /** With a request, what people are told about the app that makes it. */
  #asking({ params }: AdapterPayload): object {
    const client = Provider.ctx?.oidc.client;
    if (!client || !(this.#kind === "Interaction" || this.#kind === "DeviceCode")) return {};
    const redirectUri = this.#kind === "Interaction" ? String(params?.redirect_uri) : null;
    return { asking: askingApp(client.clientId, client.clientName, redirectUri) };
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await findRecord(this.services.storage.read, this.#kind, id);
    return found && this.#asPayload(id, found);
  }

  #asPayload(id: string, { payload, usedAt, expiresAt }: FoundRecord): AdapterPayload | undefined {
    const { asking: _, ...rest } = payload;
    if (this.#kind === "Client") return expiresAt > this.services.now() ? rest : undefined;
    const exp = libraryTime(this.services, expiresAt);
    return { ...rest, jti: id, exp, ...(usedAt !== null && { consumed: Math.floor(usedAt / 1000) }) };
  }

  /** If another request has redeemed it at the same time, the grant ends: one of the two is a thief. */
  override async consume(id: string): Promise<void> {
    const { storage, now } = this.services;
    if (await storage.write((tx) => redeem(tx, this.#kind, id, now()))) return;
    const { grantId } = (await this.find(id)) ?? {};
    if (grantId !== undefined) await this.revokeByGrantId(grantId);
    throw new errors.InvalidGrant("it was already used");
  }

  override async destroy(id: string): Promise<void> {
    await this.services.storage.write((tx) => deleteRecord(tx, this.#kind, id));
  }
}

/** The library reads the system's clock. */
function libraryTime({ now }: Services, time: number): number {
  return Math.floor((Date.now() + time - now()) / 1000);
}

function ended(): Error {
  return new errors.InvalidGrant("the grant has ended");
}
