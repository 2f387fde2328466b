import type { Handlers } from "../../http/context.ts";
import { EventAnswer } from "../../http/event-stream.ts";
import type { House } from "../../http/house.ts";
import { onceFor } from "../../http/once-for.ts";
import { Listeners } from "./listeners.ts";
import { beginningOf } from "./stream.queries.ts";

export const notificationStream = {
  notificationStream: async ({ house, caller, read }, { lastEventId }) => {
    const after = await beginningOf(read, caller.userId, lastEventId ?? null);
    return new EventAnswer((stream) => listenersOf(house).add(stream, after));
  },
} satisfies Handlers<"notificationStream">;

/** One for each service of this process. */
const listenersOf = onceFor((house: House) => new Listeners(house));
