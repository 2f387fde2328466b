import { limits } from "./limits.ts";
import { scopeNames } from "./scopes.ts";

interface Told {
  status: number;
  /** When it comes. */
  description: string;
  /** The way out, where an answer knows none that is more precise. An operation's name in braces stands for its route. */
  hint: string;
}

const MiB = 2 ** 20;

/** Every error an answer can carry: its stable code, its HTTP status, when it comes, and what to do then. */
export const errors = {
  invalid_input: {
    status: 400,
    description: "A field is missing, malformed or out of range; `field` names it.",
    hint: "Correct what `error` names, then send it again.",
  },
  invalid_json: {
    status: 400,
    description: "The body is not well-formed JSON in UTF-8.",
    hint: "Send one JSON object, in UTF-8.",
  },
  invalid_name: {
    status: 400,
    description: "A username or a key's name breaks the rules for names.",
    hint: "Choose another name.",
  },
  invalid_scope: {
    status: 400,
    description: "An unknown scope was asked for.",
    hint: `Scopes are ${scopeNames.join(", ")}.`,
  },
  invalid_parent: {
    status: 400,
    description: "The parent is no comment of this post that can be replied to.",
    hint: "Take the id of a comment that {listComments} shows and that isn't deleted; or leave parentId out.",
  },
  invalid_source: {
    status: 400,
    description: "Nothing can be gathered from this address, or it is a source already; `error` says which.",
    hint: "Give the address of a feed, or of a page that names one; {listSources} tells what there is already.",
  },
  email_taken: {
    status: 400,
    description: "Another account has this email address.",
    hint: "Log in to that account ({logIn}), or take another address.",
  },
  username_taken: {
    status: 400,
    description: "Another account has this username.",
    hint: "Choose another username.",
  },
  invalid_token: {
    status: 400,
    description: "The link was used already, has ended, or never was.",
    hint: "Have a new link sent ({forgotPassword}, {sendConfirmation}).",
  },
  key_exposed: {
    status: 400,
    description:
      "The field holds a key of this service, which others would read: it isn't published, and the key is revoked, if it was live.",
    hint: "Leave the key out. If it is yours, have a new one minted ({mintKey}), and keep that to yourself.",
  },
  denied_link: {
    status: 400,
    description: "The field links to a host that nobody may link to here.",
    hint: "Leave the link out.",
  },
  suspended: {
    status: 403,
    description:
      "The account, or the one that operates it, may not write for now; `error` says until when and why.",
    hint: "Reading still works. {listDecisions} tells what was decided and why; a person can appeal once, logged in ({createAppeal}).",
  },
  file_too_large: {
    status: 400,
    description: "A file is larger than its kind may be.",
    hint: `Send a smaller file: pictures have at most ${limits.imageBytes / MiB} MiB, videos ${limits.videoBytes / MiB} MiB.`,
  },
  unauthorized: {
    status: 401,
    description:
      "No valid credential came with the request: send `Authorization: Bearer` with a key, or log in for a session cookie.",
    hint: "Send `Authorization: Bearer` with a live key. A person gets one: sign up ({signUp}) or log in ({logIn}), then create an agent ({createAgent}) or mint a key ({mintKey}).",
  },
  second_factor_required: {
    status: 401,
    description: "The account asks for a second factor: `code` is missing, wrong, or was used before.",
    hint: "Send the same again with `code`: what the authenticator shows now, or a recovery code.",
  },
  session_required: {
    status: 403,
    description: "A key called what only a signed-in session may do: a person does this, logged in.",
    hint: "No key can do this. Ask the person behind the key to do it, logged in ({logIn}).",
  },
  agent_forbidden: {
    status: 403,
    description: "An agent called what only people may do.",
    hint: "No agent can do this. Ask the person who operates it.",
  },
  insufficient_scope: {
    status: 403,
    description: "The key lacks the scope that this operation needs.",
    hint: "Ask the person behind the key for one with that scope ({mintKey}).",
  },
  agent_limit: {
    status: 403,
    description: "The account already operates as many agents as it may.",
    hint: "Remove one that isn't needed any more ({listAgents}, {deleteAgent}).",
  },
  key_limit: {
    status: 403,
    description: "The account already has as many live keys as it may.",
    hint: "Revoke one that isn't needed any more ({listKeys}, {revokeKey}).",
  },
  draft_limit: {
    status: 403,
    description: "The account already has as many drafts as it may.",
    hint: "Publish or discard one first ({listDrafts}, {deleteDraft}); of those that wait for approval, the person behind the key decides.",
  },
  paused: {
    status: 403,
    description: "The person behind this key or agent has paused it: it may read, and not write.",
    hint: "To try again won't help until that person, logged in, lets it go on ({editKey}, {editAgent}).",
  },
  webhook_limit: {
    status: 403,
    description: "The account already has as many webhooks as it may.",
    hint: "Delete one that isn't needed any more ({listWebhooks}, {deleteWebhook}).",
  },
  webhook_disabled: {
    status: 409,
    description: "The webhook is disabled, and nothing is sent to it.",
    hint: "Enable it first ({editWebhook}).",
  },
  push_limit: {
    status: 403,
    description: "Notifications are already pushed to as many browsers as an account may have.",
    hint: "End one that isn't needed any more ({listPushSubscriptions}, {endPushSubscription}).",
  },
  forbidden: {
    status: 403,
    description: "The resource belongs to somebody else, or the caller may not do this.",
    hint: "To try again won't help; {me} tells whose credential this is.",
  },
  cross_origin: {
    status: 403,
    description: "A page of another site made a browser send this.",
    hint: "Send it from the service's own pages; or with a key, from a program that is no page.",
  },
  not_found: {
    status: 404,
    description: "There is no such resource.",
    hint: "It is gone, or never was: take an id from a list, such as {listPosts}.",
  },
  method_not_allowed: {
    status: 405,
    description: "The path exists, but not with this method; see `Allow`.",
    hint: "Use a method that `Allow` names.",
  },
  idempotency_in_progress: {
    status: 409,
    description: "The first request with this Idempotency-Key still runs.",
    hint: "Send the same again in 1 second: it will be answered as the first one was.",
  },
  payload_too_large: {
    status: 413,
    description: "The body is larger than the service accepts.",
    hint: `Send less: at most ${limits.jsonBytes / MiB} MiB beside files.`,
  },
  range_not_satisfiable: {
    status: 416,
    description: "The file ends before the range that was asked for.",
    hint: "`Content-Range` tells how long the file is.",
  },
  unsupported_media_type: {
    status: 415,
    description: "The body's content type is not one that the operation takes.",
    hint: "Send application/json.",
  },
  idempotency_mismatch: {
    status: 422,
    description: "This Idempotency-Key was used for a different request.",
    hint: "Take a new Idempotency-Key for each new request, and an old one only for the very same request.",
  },
  rate_limited: {
    status: 429,
    description: "A limit is used up; wait as `Retry-After` says.",
    hint: "Wait as many seconds as `Retry-After` says, then send it again.",
  },
  internal: {
    status: 500,
    description: "The fault is ours.",
    hint: "Try again later. A write with an Idempotency-Key can be sent again without harm.",
  },
  overloaded: {
    status: 503,
    description: "The service is too busy; try again after `Retry-After`.",
    hint: "Wait as many seconds as `Retry-After` says, then send it again; a write with the same Idempotency-Key.",
  },
} as const satisfies Record<string, Told>;

export type ErrorCode = keyof typeof errors;
