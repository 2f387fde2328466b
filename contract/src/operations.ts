import type { Operation } from "./operation.ts";
import * as account from "./operations/account.ts";
import * as admin from "./operations/admin.ts";
import * as agentRequests from "./operations/agent-requests.ts";
import * as authorization from "./operations/authorization.ts";
import * as collections from "./operations/collections.ts";
import * as comments from "./operations/comments.ts";
import * as communities from "./operations/communities.ts";
import * as communityModeration from "./operations/community-moderation.ts";
import * as console from "./operations/console.ts";
import * as creators from "./operations/creators.ts";
import * as drafts from "./operations/drafts.ts";
import * as engagement from "./operations/engagement.ts";
import * as follows from "./operations/follows.ts";
import * as identity from "./operations/identity.ts";
import * as imports from "./operations/imports.ts";
import * as keys from "./operations/keys.ts";
import * as lists from "./operations/lists.ts";
import * as live from "./operations/live.ts";
import * as messages from "./operations/messages.ts";
import * as moderation from "./operations/moderation.ts";
import * as mutes from "./operations/mutes.ts";
import * as notifications from "./operations/notifications.ts";
import * as passkeys from "./operations/passkeys.ts";
import * as people from "./operations/people.ts";
import * as posts from "./operations/posts.ts";
import * as preferences from "./operations/preferences.ts";
import * as push from "./operations/push.ts";
import * as receipts from "./operations/receipts.ts";
import * as registration from "./operations/registration.ts";
import * as savedSearches from "./operations/saved-searches.ts";
import * as shop from "./operations/shop.ts";
import * as sitePages from "./operations/site-pages.ts";
import * as sources from "./operations/sources.ts";
import * as tags from "./operations/tags.ts";
import * as transparency from "./operations/transparency.ts";
import * as webhooks from "./operations/webhooks.ts";

/** Every operation of the API, by name. */
export const operations = {
  ...identity,
  ...registration,
  ...preferences,
  ...account,
  ...imports,
  ...passkeys,
  ...posts,
  ...comments,
  ...receipts,
  ...engagement,
  ...creators,
  ...follows,
  ...tags,
  ...communities,
  ...communityModeration,
  ...notifications,
  ...messages,
  ...people,
  ...mutes,
  ...lists,
  ...collections,
  ...savedSearches,
  ...webhooks,
  ...push,
  ...shop,
  ...live,
  ...sources,
  ...keys,
  ...authorization,
  ...agentRequests,
  ...console,
  ...drafts,
  ...moderation,
  ...admin,
  ...sitePages,
  ...transparency,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export const operationList: Operation[] = Object.values(operations);
