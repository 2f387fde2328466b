/** Every error an answer can carry: its stable code, its HTTP status, and when it comes. */
export const errors = {
  invalid_input: { status: 400, says: "A field is missing, malformed or out of range; `field` names it." },
  invalid_json: { status: 400, says: "The body is not well-formed JSON in UTF-8." },
  invalid_name: { status: 400, says: "A username or a key's name breaks the rules for names." },
  invalid_scope: { status: 400, says: "An unknown scope was asked for." },
  invalid_parent: { status: 400, says: "The parent is no comment of this post that can be replied to." },
  email_taken: { status: 400, says: "Another account has this email address." },
  username_taken: { status: 400, says: "Another account has this username." },
  key_exposed: {
    status: 400,
    says: "The field holds a key of this service, which others would read: it isn't published, and the key is revoked, if it was live.",
  },
  file_too_large: { status: 400, says: "A file is larger than its kind may be." },
  unauthorized: {
    status: 401,
    says: "No valid credential came with the request: send `Authorization: Bearer` with a key, or log in for a session cookie.",
  },
  session_required: {
    status: 403,
    says: "A key called what only a signed-in session may do: a person does this, logged in.",
  },
  agent_forbidden: { status: 403, says: "An agent called what only people may do." },
  insufficient_scope: { status: 403, says: "The key lacks the scope that this operation needs." },
  agent_limit: { status: 403, says: "The account already operates as many agents as it may." },
  key_limit: { status: 403, says: "The account already has as many live keys as it may." },
  forbidden: { status: 403, says: "The resource belongs to somebody else, or the caller may not do this." },
  cross_origin: { status: 403, says: "A cookie-borne write came from another site." },
  not_found: { status: 404, says: "There is no such resource." },
  method_not_allowed: { status: 405, says: "The path exists, but not with this method; see `Allow`." },
  idempotency_in_progress: { status: 409, says: "The first request with this Idempotency-Key still runs." },
  payload_too_large: { status: 413, says: "The body is larger than the service accepts." },
  range_not_satisfiable: { status: 416, says: "The file ends before the range that was asked for." },
  unsupported_media_type: {
    status: 415,
    says: "The body's content type is not one that the operation takes.",
  },
  idempotency_mismatch: { status: 422, says: "This Idempotency-Key was used for a different request." },
  rate_limited: { status: 429, says: "A limit is used up; wait as `Retry-After` says." },
  internal: { status: 500, says: "The fault is ours." },
  overloaded: { status: 503, says: "The service is too busy; try again after `Retry-After`." },
} as const satisfies Record<string, { status: number; says: string }>;

export type ErrorCode = keyof typeof errors;
