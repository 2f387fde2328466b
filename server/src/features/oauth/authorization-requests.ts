import { DAY, HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Input, ResponseOf } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Key } from "@tandem/contract/resources";
import type { Scope } from "@tandem/contract/scopes";
import { ApiError, invalid, notFound } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockCaller } from "../accounts/accounts.queries.ts";
import { findOwnAgent } from "../accounts/agents.queries.ts";
import { requireRecentProof } from "../accounts/reauthentication.ts";
import { deviceCodeAttempt, limitAttempts, refundAttempt } from "../accounts/throttle.ts";
import { createAgent } from "../keys/agents.ts";
import { accountsWithApproval } from "../keys/grants.queries.ts";
import { grantTo, insertKey, type NewKey, readScopes, type StoredKey } from "../keys/keys.queries.ts";
import type { AppDetails } from "./app-details.ts";
import { type FoundRecord, findByUserCode, findRecord, replacePayload } from "./records.queries.ts";
import { keyScopes } from "./scopes.ts";

const GRANT_LIFE = limits.appGrantDays * DAY;

/** What people see and answer when an app asks for access, in a browser or by the code of a device. */
export const authorizationRequests = {
  readAuthorizationRequest: (ctx, { request: id }) =>
    limited(ctx, id, async () => {
      const { details, scopes, clientId } = await findRequest(ctx.read, id, ctx.now);
      const parties = { owner_id: ctx.caller.userId, client_id: clientId };
      return {
        request: {
          ...details,
          scopes: scopes.join(","),
          approvalAccounts: await accountsWithApproval(ctx.read, parties),
          days: limits.appGrantDays,
        },
      };
    }),
  approveAuthorizationRequest: (ctx, input) =>
    limited(ctx, input.request, () =>
      ctx.write(async (tx) => {
        if ((input.accountId ?? ctx.caller.userId) !== ctx.caller.userId)
          throw new ApiError("account_changed", undefined, { field: "accountId" });
        await requireRecentProof(tx, ctx, limits.provenHours * HOUR);
        return approve(ctx, tx, input);
      }),
    ),
  denyAuthorizationRequest: (ctx, { request: id }) =>
    limited(ctx, id, () => ctx.write((tx) => deny(ctx, tx, id))),
} satisfies Handlers<"readAuthorizationRequest" | "approveAuthorizationRequest" | "denyAuthorizationRequest">;

/** The code of a device is short, so wrong ones are limited. */
async function limited<R>(ctx: SignedIn, id: string, work: () => Promise<R>): Promise<R> {
  if (userCodeOf(id) === null) return work();
  const attempt = deviceCodeAttempt(ctx);
  try {
    const result = await limitAttempts(ctx, attempt, work);
    await refundAttempt(ctx, attempt);
    return result;
  } catch (error) {
    const isWrong = error instanceof ApiError && /^(not_found|rate_limited|overloaded)$/.test(error.code);
    if (!isWrong) await refundAttempt(ctx, attempt);
    throw error;
  }
}

interface AuthorizationRequest {
  record: FoundRecord;
  isDevice: boolean;
  details: AppDetails;
  clientId: string;
  scopes: Scope[];
  /** Space-separated, as the app knows them. */
  scope: string;
  resource: unknown;
  redirectUrl: string | null;
}

/** Throws `not_found` for requests that are answered, too. */
async function findRequest(db: Db, id: string, now: number): Promise<AuthorizationRequest> {
  const userCode = userCodeOf(id);
  const record =
    userCode === null ? await findRecord(db, "Interaction", id) : await findByUserCode(db, userCode);
  if (!record || record.expiresAt <= now) throw noRequest();
  const { params, details, returnTo, result, error, accountId } = record.payload as Stored;
  if (result !== undefined || error !== undefined || accountId !== undefined) throw noRequest();
  return {
    record,
    isDevice: userCode !== null,
    details,
    clientId: params.client_id,
    scopes: keyScopes(params.scope),
    scope: params.scope,
    resource: params.resource,
    redirectUrl: returnTo ?? null,
  };
}

/** What is stored of a request, by the protocol's library and `adapter.ts`. */
type Stored = {
  params: { client_id: string; scope: string; resource?: unknown };
  details: AppDetails;
  /** Absent for a device. */
  returnTo?: string;
  /** The answer: from a browser; or of a device, a refusal or who approved. */
  result?: object;
  error?: string;
  accountId?: string;
};

/** The letters of a device's code, without its hyphen; null for anything else. */
function userCodeOf(id: string): string | null {
  const code = id.toUpperCase().replace(/[-_]/g, "");
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code) ? code : null;
}

function noRequest(): ApiError {
  return notFound("request of an app: it has expired or was answered. Start again from the app");
}

async function approve(
  ctx: SignedIn,
  tx: Db,
  input: Input<Operations["approveAuthorizationRequest"]>,
): Promise<ResponseOf<Operations["approveAuthorizationRequest"]>> {
  const { caller, now } = ctx;
  await lockCaller(tx, caller);
  const request = await findRequest(tx, input.request, now);
  const { app } = request.details;
  const scopes = readScopes(input.scopes, request.scopes);
  const extra = scopes.find((name) => !request.scopes.includes(name));
  if (extra !== undefined)
    throw new ApiError("invalid_scope", `The app didn't ask for ${extra}.`, { field: "scopes" });
  const { clientId } = request;
  const grant = { name: app.name, scopes, expiresAt: now + GRANT_LIFE, ...grantTo({ clientId, app }) };
  const key = await addGrant(ctx, tx, input, grant);
  const who = { accountId: String(caller.userId), grantId: String(key.id) };
  const answer = request.isDevice
    ? { ...who, scope: request.scope, resource: request.resource }
    : { result: { login: { accountId: who.accountId }, consent: { grantId: who.grantId } } };
  await answerRequest(ctx, tx, request, answer, key.id);
  return { key, redirectUrl: request.redirectUrl };
}

/** Adds the key of a grant to the caller's own account, their agent's, or a new agent's. */
async function addGrant(
  ctx: SignedIn,
  tx: Db,
  { agentId = null, username = null, approval }: Input<Operations["approveAuthorizationRequest"]>,
  grant: StoredKey & Pick<NewKey, "name" | "scopes" | "expiresAt">,
): Promise<Key> {
  if (username !== null) {
    if (agentId !== null) throw invalid("username", "Give agentId or username, not both.");
    return (await createAgent(ctx, tx, { username }, { ...grant, approval })).key;
  }
  const { caller } = ctx;
  const userId = agentId === null ? caller.userId : (await findOwnAgent(tx, agentId, caller)).id;
  const { client_id = null } = grant;
  // Otherwise the app could get around it by asking again.
  const needsApproval =
    approval ?? (await accountsWithApproval(tx, { owner_id: caller.userId, client_id })).includes(userId);
  return insertKey(ctx, tx, { ownerId: caller.userId, userId, ...grant, approval: needsApproval });
}

async function deny(ctx: SignedIn, tx: Db, id: string) {
  const request = await findRequest(tx, id, ctx.now);
  const [error, description] = ["access_denied", "The request was denied."];
  const answer = request.isDevice
    ? { error, errorDescription: description }
    : { result: { error, error_description: description } };
  await answerRequest(ctx, tx, request, answer, null);
  return { denied: true as const, redirectUrl: request.redirectUrl };
}

/** Remembers in which session it was answered: the browser with that session alone can go on. */
async function answerRequest(
  { caller }: SignedIn,
  tx: Db,
  { record }: AuthorizationRequest,
  answer: object,
  keyId: number | null,
): Promise<void> {
  const payload = { ...record.payload, ...answer, answeredIn: caller.sessionId };
  if (!(await replacePayload(tx, record, payload, keyId))) throw noRequest();
}

/** Whether a request was answered in this session. */
export async function isAnsweredIn(db: Db, id: string, sessionId: number | null): Promise<boolean> {
  const record = await findRecord(db, "Interaction", id);
  return sessionId !== null && record?.payload.answeredIn === sessionId;
}
