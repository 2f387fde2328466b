import type { Handlers } from "../../http/context.ts";
import { EventResponse } from "../../http/event-stream.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { StreamDispatcher } from "./dispatcher.ts";
import { startingPoint } from "./stream.queries.ts";

export const notificationStream = {
  notificationStream: async ({ services, caller, read }, { lastEventId }) => {
    const after = await startingPoint(read, caller.userId, lastEventId ?? null);
    return new EventResponse((stream) => dispatcherOf(services).add(stream, after));
  },
} satisfies Handlers<"notificationStream">;

/** One dispatcher for each service of this process. */
const dispatcherOf = memoizePerInstance((services: Services) => new StreamDispatcher(services));
