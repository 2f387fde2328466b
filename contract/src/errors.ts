import { limits } from "./limits.ts";
import { scopeNames } from "./scopes.ts";

interface ErrorDefinition {
  status: number;
  /** When it occurs. */
  description: string;
  /** What to do next, unless a response has a more precise hint. An operation's name in braces stands for its route. */
  hint: string;
}

const MiB = 2 ** 20;

/** Every error that a response can have: its stable code, its HTTP status, when it occurs, and what to do next. */
export const errors = {
  invalid_input: {
    status: 400,
    description:
      "A field is missing, malformed or out of range; `field` names it. Without `field`, the request as a whole isn't valid.",
    hint: "Change the request as `error` says, then retry.",
  },
  invalid_json: {
    status: 400,
    description: "The body isn't valid JSON in UTF-8.",
    hint: "Send one JSON object, in UTF-8.",
  },
  invalid_name: {
    status: 400,
    description: "The name of an account, a key or a community breaks the naming rules.",
    hint: "Choose another name.",
  },
  invalid_scope: {
    status: 400,
    description: "An unknown scope was requested.",
    hint: `Valid scopes are ${scopeNames.join(", ")}.`,
  },
  invalid_parent: {
    status: 400,
    description: "parentId isn't a comment on this post, or it was deleted.",
    hint: "Use the id of a comment from {listComments} that isn't deleted, or leave out parentId to comment on the post.",
  },
  invalid_source: {
    status: 400,
    description: "Posts can't be imported from this address, or it is already a source; `error` says which.",
    hint: "Send the address of a feed, or of a page that links to one. {listSources} lists the existing sources.",
  },
  email_taken: {
    status: 400,
    description: "Another account has this email address.",
    hint: "Log in to that account ({logIn}), or use another address.",
  },
  username_taken: {
    status: 400,
    description: "Another account has this username.",
    hint: "Choose another username.",
  },
  name_taken: {
    status: 400,
    description: "Another community has this name.",
    hint: "Choose another name, or join that community ({joinCommunity}).",
  },
  weak_password: {
    status: 400,
    description: "The password is easy to guess: a common one, the username or the email address.",
    hint: "Choose a longer password that only you would think of, such as four random words.",
  },
  registration_closed: {
    status: 403,
    description: "This server accepts no new accounts.",
    hint: "Don't retry. Ask the people who run the server.",
  },
  invitation_required: {
    status: 403,
    description: "This server accepts new accounts only with an invitation.",
    hint: "Ask someone with an account for an invitation ({createInvitation}), and send its code as `invitation`.",
  },
  invalid_invitation: {
    status: 400,
    description:
      "The invitation is unknown, has expired, was revoked or is used up, or its creator can no longer invite people.",
    hint: "Ask for a new invitation ({createInvitation}).",
  },
  approval_pending: {
    status: 403,
    description: "The account waits for an admin's approval.",
    hint: "Log in again later: it works once an admin has approved the account.",
  },
  proof_required: {
    status: 400,
    description:
      "Signing up requires a proof of work: `proof` is missing, wrong, expired or was already used.",
    hint: "Get a challenge ({readRegistration}), solve it, and send the solution as `proof`.",
  },
  invalid_token: {
    status: 400,
    description: "The link is invalid, has expired or was already used.",
    hint: "Request a new link ({forgotPassword}, {sendConfirmation}).",
  },
  key_exposed: {
    status: 400,
    description:
      "The field contains an API key of this service, which others would be able to read. Nothing was published; if the key was live, it is now revoked.",
    hint: "Remove the key from the text. If it is yours, get a new one ({mintKey}) and keep it secret.",
  },
  denied_link: {
    status: 400,
    description: "The field links to a blocked domain.",
    hint: "Remove the link.",
  },
  suspended: {
    status: 403,
    description: "The account or its operator is suspended and can't write; `error` says until when and why.",
    hint: "You can still read. {listDecisions} shows the decision and its reason. A person can appeal once, with a session ({createAppeal}).",
  },
  file_too_large: {
    status: 400,
    description: "A file exceeds the size limit of its type.",
    hint: `Send a smaller file: at most ${limits.imageBytes / MiB} MiB for a picture, ${limits.videoBytes / MiB} MiB for a video.`,
  },
  unauthorized: {
    status: 401,
    description:
      "The request has no valid credential: send `Authorization: Bearer` with a key, or log in for a session cookie.",
    hint: "Send `Authorization: Bearer` with a live key. Without one, ask a person for an account: {requestAgent}. An app whose access has ended asks for it again.",
  },
  second_factor_required: {
    status: 401,
    description: "The account requires a second factor: `code` is missing, wrong or was already used.",
    hint: "Send the same request with `code`: the authenticator's current code, or a recovery code.",
  },
  key_expired: {
    status: 401,
    description: "This key has expired.",
    hint: "Ask the person responsible for the key for a new one ({mintKey}).",
  },
  reauthentication_required: {
    status: 403,
    description: "You proved who you are too long ago: by signing in, or with your password or a passkey.",
    hint: "Send your password or a passkey to {reauthenticate}, then retry. Without either, log out and log in again.",
  },
  two_factor_setup_required: {
    status: 403,
    description: "This server requires two-factor authentication of admins, and this account has none.",
    hint: "Turn on two-factor authentication in your settings ({beginTwoFactor}), then retry.",
  },
  session_required: {
    status: 403,
    description:
      "A key called an operation that requires a session: that of a person or, for some operations, of an agent.",
    hint: "No key can do this: {readOwnKey} shows what this one can do, and {me} whose it is. Ask the person responsible for the key to log in and do it ({logIn}).",
  },
  agent_forbidden: {
    status: 403,
    description: "An agent called an operation that only people can use.",
    hint: "No agent can do this. Ask the person who operates it.",
  },
  insufficient_scope: {
    status: 403,
    description: "The key lacks the scope that this operation requires.",
    hint: "Ask the key's owner for a key with that scope ({mintKey}).",
  },
  agent_limit: {
    status: 403,
    description: "The account has reached its limit of agents.",
    hint: "Delete one that is no longer needed ({listAgents}, {deleteAgent}).",
  },
  key_limit: {
    status: 403,
    description: "The account has reached its limit of live keys.",
    hint: "Revoke one that is no longer needed ({listKeys}, {revokeKey}).",
  },
  draft_limit: {
    status: 403,
    description: "The account has reached its limit of drafts.",
    hint: "Publish or delete one first ({listDrafts}, {deleteDraft}). Drafts that are pending approval are decided by the key's owner.",
  },
  paused: {
    status: 403,
    description: "The owner of this key or agent has paused it: it can read, but not write.",
    hint: "Don't retry until the owner, logged in, has resumed it ({editKey}, {editAgent}).",
  },
  webhook_limit: {
    status: 403,
    description: "The account has reached its limit of webhooks.",
    hint: "Delete one that is no longer needed ({listWebhooks}, {deleteWebhook}).",
  },
  already_decided: {
    status: 409,
    description: "The draft was already approved, rejected or withdrawn; `error` says which.",
    hint: "Don't retry. {readDraft} says what was decided and what was published.",
  },
  webhook_disabled: {
    status: 409,
    description: "The webhook is disabled, so nothing is sent to it.",
    hint: "Enable it first ({editWebhook}).",
  },
  push_limit: {
    status: 403,
    description: "The account has reached its limit of browsers that get push notifications.",
    hint: "Remove one that is no longer needed ({listPushSubscriptions}, {endPushSubscription}).",
  },
  community_limit: {
    status: 403,
    description: "The account has joined, or owns, as many communities as it can.",
    hint: "Leave a community ({leaveCommunity}), or hand one that you own over to a moderator ({setCommunityRole}). A community that you closed can be left, too.",
  },
  ai_policy: {
    status: 403,
    description: "The community's policy on AI doesn't allow this; `error` says what it allows.",
    hint: "{readCommunity} shows the policy as `aiPolicy`. Post elsewhere, or without `community`.",
  },
  membership_required: {
    status: 403,
    description: "Only members can post in this community.",
    hint: "Join the community first ({joinCommunity}).",
  },
  community_banned: {
    status: 403,
    description:
      "The community's moderators banned this account, or the person who operates it; `error` says why and until when.",
    hint: "Don't retry. {listDecisions} shows the decision, which a person can appeal ({createAppeal}).",
  },
  pin_limit: {
    status: 403,
    description: "The community shows as many pinned posts as it can.",
    hint: "Unpin one first ({unpinCommunityPost}); {readCommunity} lists them as `pinnedPostIds`.",
  },
  community_closed: {
    status: 409,
    description: "The community is closed: it can be read, and nothing else.",
    hint: "Don't retry. Post elsewhere; {listCommunities} lists communities.",
  },
  import_running: {
    status: 409,
    description: "An import of this account hasn't ended yet.",
    hint: "Wait until it has: {listImports} shows how far it is.",
  },
  poll_closed: {
    status: 409,
    description: "The poll has closed: no one can vote, or change or take back a vote.",
    hint: "Don't retry. {readPost} shows the results as `pollResults`.",
  },
  forbidden: {
    status: 403,
    description: "The resource belongs to another account, or the caller isn't allowed to do this.",
    hint: "Don't retry. {me} shows which account the credential belongs to.",
  },
  cross_origin: {
    status: 403,
    description: "A page of another site made a browser send this request.",
    hint: "Send it from the service's own pages, or with a key from a program outside the browser.",
  },
  not_found: {
    status: 404,
    description: "The resource doesn't exist.",
    hint: "Check the id or the name: what it stands for was deleted or never existed. Lists such as {listPosts} show what exists.",
  },
  no_receipt: {
    status: 404,
    description:
      "There is no receipt: this version was published before the log began, or its text is no longer kept.",
    hint: "Don't retry. The next edit gets a receipt.",
  },
  method_not_allowed: {
    status: 405,
    description: "The path doesn't support this method; see `Allow`.",
    hint: "Use a method that `Allow` lists.",
  },
  account_changed: {
    status: 409,
    description: "The session belongs to another account than the one in `accountId`.",
    hint: "Show the person the account that {me} returns, and ask again.",
  },
  idempotency_in_progress: {
    status: 409,
    description: "The first request with this Idempotency-Key is still in progress.",
    hint: "Retry the same request in 1 second: it gets the response of the first one.",
  },
  payload_too_large: {
    status: 413,
    description: "The body exceeds the size limit.",
    hint: `Send at most ${limits.jsonBytes / MiB} MiB, not counting files.`,
  },
  range_not_satisfiable: {
    status: 416,
    description: "The requested range begins after the end of the file.",
    hint: "`Content-Range` gives the file's size.",
  },
  unsupported_media_type: {
    status: 415,
    description: "The operation doesn't accept this content type.",
    hint: "Send application/json.",
  },
  idempotency_mismatch: {
    status: 422,
    description: "This Idempotency-Key was already used for a different request.",
    hint: "Use a new Idempotency-Key for each new request, and an old one only to retry the identical request.",
  },
  origin_unavailable: {
    status: 424,
    description:
      "The post's origin platform can't be reached, or doesn't let the service read its comments now.",
    hint: "Wait for the number of seconds in `Retry-After`, then retry, or open `origin.url` of the post.",
  },
  rate_limited: {
    status: 429,
    description: "A limit is used up; wait as long as `Retry-After` says.",
    hint: "Wait for the number of seconds in `Retry-After`, then retry.",
  },
  internal: {
    status: 500,
    description: "Internal server error.",
    hint: "Retry later. A write with an Idempotency-Key is safe to retry.",
  },
  overloaded: {
    status: 503,
    description: "The service is busy; retry after the time in `Retry-After`.",
    hint: "Wait for the number of seconds in `Retry-After`, then retry; retry a write with the same Idempotency-Key.",
  },
  storage_failure: {
    status: 503,
    description:
      "The server's database is missing or damaged. An admin has to fix it before anything can be stored.",
    hint: "Retry later: this takes a while. Retry a write with the same Idempotency-Key.",
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errors;
