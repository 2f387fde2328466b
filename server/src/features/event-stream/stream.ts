import type { Handlers } from "../../http/context.ts";
import { EventAnswer } from "../../http/event-stream.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { Listeners } from "./listeners.ts";
import { beginningOf } from "./stream.queries.ts";

export const notificationStream = {
  notificationStream: async ({ services, caller, read }, { lastEventId }) => {
    const after = await beginningOf(read, caller.userId, lastEventId ?? null);
    return new EventAnswer((stream) => listenersOf(services).add(stream, after));
  },
} satisfies Handlers<"notificationStream">;

/** One for each service of this process. */
const listenersOf = memoizePerInstance((services: Services) => new Listeners(services));
