import { isTagged, isWrite, type Operation, takesIdempotencyKey } from "@tandem/contract/operation";
import { operations } from "@tandem/contract/operations";
import type { LimitTable } from "@tandem/contract/tiers";
import { sessionCookie } from "../http/credential.ts";
import { documentLinks } from "../http/links.ts";
import { rateLimitHeaders } from "../http/quota.ts";
import { drawnBy } from "./quotas.ts";
import type { Json } from "./schemas.ts";

const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };

const quotaHeaders = {
  "RateLimit-Limit": {
    description:
      "The limit of the quota that has the least left. These fields come to callers with a credential.",
    schema: whole,
  },
  "RateLimit-Remaining": { description: "What is left of it.", schema: whole },
  "RateLimit-Reset": { description: "Whole seconds until it is whole again.", schema: whole },
  "RateLimit-Policy": {
    description: "Each quota that the call draws on: its size (`q`), and its window in seconds (`w`).",
    schema: text,
  },
  RateLimit: {
    description: "Each of these quotas: what remains (`r`), and the seconds until it is whole again (`t`).",
    schema: text,
  },
};

const otherHeaders = {
  "Retry-After": { description: "Whole seconds to wait before another try.", schema: whole, example: 30 },
  ETag: { description: "Names this very answer; for `If-None-Match`.", schema: text, example: 'W/"a1-b2c3"' },
  Link: {
    description:
      'Where the next page is, unless this is the last (`rel="next"`), and where the documents are.',
    schema: text,
    example: `</api/posts?cursor=41>; rel="next", ${documentLinks}`,
  },
  "Idempotency-Replayed": {
    description: "Present where the answer is that of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", const: "true" },
  },
  "Set-Cookie": {
    description: "When a session or a sign-in begins, ends or is prolonged.",
    schema: text,
    example: `${sessionCookie(null).name}=…; HttpOnly; SameSite=Lax; Path=/`,
  },
};

const quotaHeaderNames = Object.keys(quotaHeaders) as (keyof typeof quotaHeaders)[];

type HeaderName = keyof typeof quotaHeaders | keyof typeof otherHeaders;

/** Every header that answers carry, described once. */
export function headerComponents(limits: LimitTable): Json {
  const examples = quotaExamples(limits);
  const withExamples = Object.entries(quotaHeaders).map(([name, header]) => {
    const example = examples[name.toLowerCase()] ?? "";
    return [name, { ...header, example: header.schema === whole ? Number(example) : example }];
  });
  return { ...Object.fromEntries(withExamples), ...otherHeaders };
}

/** The first post of a new key, told by the very code that tells it. */
function quotaExamples(limits: LimitTable): Record<string, string> {
  const states = drawnBy(operations.createPost, limits).map((allowance) => ({
    ...allowance,
    remaining: Math.max(0, allowance.limit - 1),
    reset: allowance.seconds,
  }));
  return rateLimitHeaders(states);
}

/** What comes with an operation's success. */
export function headersOf(op: Operation): Json {
  const names: HeaderName[] = ["Link", ...(isWrite(op) ? quotaHeaderNames : [])];
  if (isTagged(op)) names.push("ETag");
  if (takesIdempotencyKey(op)) names.push("Idempotency-Replayed");
  if (op.access.kind !== "key") names.push("Set-Cookie");
  return refer(names);
}

/** What comes with an error. */
export function errorHeaders(op: Operation, status: number): Json {
  const names: HeaderName[] = ["Link", ...(isWrite(op) ? quotaHeaderNames : [])];
  if (status === 429 || status === 503) names.push("Retry-After");
  return refer(names);
}

function refer(names: HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
