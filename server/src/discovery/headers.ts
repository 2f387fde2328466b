import type { ErrorCode } from "@tandem/contract/errors";
import { resourceMetadataPath } from "@tandem/contract/oauth";
import { isTagged, isWrite, type Operation, takesIdempotencyKey } from "@tandem/contract/operation";
import { operations } from "@tandem/contract/operations";
import { SIGNATURE_RESULT } from "@tandem/contract/signatures";
import type { LimitTable } from "@tandem/contract/tiers";
import { sessionCookie } from "../http/credential.ts";
import { documentLinks } from "../http/links.ts";
import { rateLimitHeaders } from "../http/quota.ts";
import { allowancesOfNewKey } from "./quotas.ts";
import type { Json } from "./schemas.ts";

const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };

const quotaHeaders = {
  "RateLimit-Limit": {
    description: "The limit of the quota with the least left. Only sent to callers with a credential.",
    schema: whole,
  },
  "RateLimit-Remaining": { description: "What is left of that quota.", schema: whole },
  "RateLimit-Reset": { description: "Seconds until that quota resets.", schema: whole },
  "RateLimit-Policy": {
    description: "The quotas that the call counts against: limit (`q`) and window in seconds (`w`).",
    schema: text,
  },
  RateLimit: {
    description: "What is left of each of these quotas (`r`), and the seconds until it resets (`t`).",
    schema: text,
  },
};

const otherHeaders = {
  "Retry-After": { description: "Seconds to wait before retrying.", schema: whole, example: 30 },
  ETag: {
    description: "Identifies this version of the response; for `If-None-Match`.",
    schema: text,
    example: 'W/"a1-b2c3"',
  },
  Link: {
    description:
      'The next page (`rel="next"`), unless this is the last one, and the documents that describe the service.',
    schema: text,
    example: `</api/posts?cursor=41>; rel="next", ${documentLinks}`,
  },
  "Idempotency-Replayed": {
    description: "Present if this is the response to an earlier request with the same Idempotency-Key.",
    schema: { type: "string", const: "true" },
  },
  "WWW-Authenticate": {
    description:
      "What is wrong with the credential (`error`), the scopes that the call needs (`scope`), and the metadata by which an app gets a token with them (`resource_metadata`, RFC 9728).",
    schema: text,
    example: `Bearer realm="Tandem", error="insufficient_scope", scope="read posts:write", resource_metadata="https://tandem.example${resourceMetadataPath("")}"`,
  },
  [SIGNATURE_RESULT]: {
    description:
      "Present if the request has an HTTP message signature and a credential: `verified`, with the host that publishes the key, or `not-verified`, and why in `detail`.",
    schema: text,
    example: 'verified;by="signer.example"',
  },
  "Set-Cookie": {
    description: "Sent when a session or a sign-in begins, ends or is extended.",
    schema: text,
    example: `${sessionCookie(null).name}=…; HttpOnly; SameSite=Lax; Path=/`,
  },
};

const quotaHeaderNames = Object.keys(quotaHeaders) as (keyof typeof quotaHeaders)[];

type HeaderName = keyof typeof quotaHeaders | keyof typeof otherHeaders;

/** The response headers, described once. */
export function headerComponents(limits: LimitTable): Json {
  const examples = quotaExamples(limits);
  const withExamples = Object.entries(quotaHeaders).map(([name, header]) => {
    const example = examples[name.toLowerCase()] ?? "";
    return [name, { ...header, example: header.schema === whole ? Number(example) : example }];
  });
  return { ...Object.fromEntries(withExamples), ...otherHeaders };
}

/** The headers after a new key's first post, from the code that sends them. */
function quotaExamples(limits: LimitTable): Record<string, string> {
  const states = allowancesOfNewKey(operations.createPost, limits).map((allowance) => ({
    ...allowance,
    remaining: Math.max(0, allowance.limit - 1),
    reset: allowance.seconds,
  }));
  return rateLimitHeaders(states);
}

/** The headers of a successful response. */
export function headersOf(op: Operation): Json {
  const names: HeaderName[] = ["Link", ...(isWrite(op) ? quotaHeaderNames : [])];
  if (isTagged(op)) names.push("ETag");
  if (isWrite(op)) names.push(SIGNATURE_RESULT);
  if (takesIdempotencyKey(op)) names.push("Idempotency-Replayed");
  if (op.access.kind !== "key") names.push("Set-Cookie");
  return refer(names);
}

/** The headers of an error. */
export function errorHeaders(op: Operation, status: number, codes: readonly ErrorCode[]): Json {
  const names: HeaderName[] = ["Link", ...(isWrite(op) ? quotaHeaderNames : [])];
  if (status === 401 || codes.includes("insufficient_scope")) names.push("WWW-Authenticate");
  if (status === 429 || status === 503) names.push("Retry-After");
  return refer(names);
}

function refer(names: HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
