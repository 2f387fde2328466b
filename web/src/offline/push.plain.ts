import { operations } from "@tandem/contract/operations";

/** Where a worker, which has no client, asks for subscriptions and sends them to. */
export const subscriptionsPath = operations.subscribeToPush.path;
