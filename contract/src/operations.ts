import type { Operation } from "./operation.ts";
import * as admin from "./operations/admin.ts";
import * as comments from "./operations/comments.ts";
import * as creators from "./operations/creators.ts";
import * as engagement from "./operations/engagement.ts";
import * as identity from "./operations/identity.ts";
import * as keys from "./operations/keys.ts";
import * as live from "./operations/live.ts";
import * as moderation from "./operations/moderation.ts";
import * as notifications from "./operations/notifications.ts";
import * as posts from "./operations/posts.ts";
import * as shop from "./operations/shop.ts";
import * as sources from "./operations/sources.ts";

/** Every operation of the API, by name. */
export const operations = {
  ...identity,
  ...posts,
  ...comments,
  ...engagement,
  ...creators,
  ...notifications,
  ...shop,
  ...live,
  ...sources,
  ...keys,
  ...moderation,
  ...admin,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export const operationList: Operation[] = Object.values(operations);
