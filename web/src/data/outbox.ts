import { type Client, TandemError } from "@tandem/client";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../shared/context.ts";
import {
  newIdempotencyKey,
  readStored,
  useStorageChange,
  useStorageKey,
  writeStored,
} from "./draft-storage.ts";
import { addMessages } from "./messages.ts";

/** A message that isn't with the service yet, as far as one knows here. It stays, be the page left, until it is. */
export interface Unsent {
  /** Names it to the service as well, so that sending it again can't send it twice. */
  key: string;
  body: string;
  /** What kept it: an error, or that the page was left before an answer came; null while it is on its way. */
  failure: TandemError | "left" | null;
}

/** Whose messages to whom: how they are named here, and to the service. */
interface Outbox {
  storageKey: string;
  username: string;
}

const keyOf = ({ storageKey }: Outbox) => ["outbox", storageKey];

/** What waits to be sent to somebody, and how it is sent. */
export function useOutbox(username: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  const outbox = { username, storageKey: useStorageKey(`outbox.${username.toLowerCase()}`) };
  const { data: unsent = [] } = useQuery({
    queryKey: keyOf(outbox),
    queryFn: () => readOutbox(outbox),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
  // What another tab has sent or discarded doesn't wait here any more.
  useStorageChange(outbox.storageKey, () => {
    const stillStored = new Set(readOutbox(outbox).map(({ key }) => key));
    queryClient.setQueryData<Unsent[]>(keyOf(outbox), (list = []) =>
      list.filter(({ key, failure }) => failure === null || stillStored.has(key)),
    );
  });
  return {
    unsent,
    send: (body: string) =>
      deliver(api, queryClient, outbox, { key: newIdempotencyKey(), body, failure: null }),
    retry: (message: Unsent) => deliver(api, queryClient, outbox, { ...message, failure: null }),
    discard: ({ key }: Unsent) =>
      updateOutbox(queryClient, outbox, (list) => list.filter((message) => message.key !== key)),
  };
}

async function deliver(api: Client, queryClient: QueryClient, outbox: Outbox, unsent: Unsent): Promise<void> {
  const { username } = outbox;
  const others = (list: Unsent[]) => list.filter(({ key }) => key !== unsent.key);
  updateOutbox(queryClient, outbox, (list) => [...others(list), unsent]);
  try {
    const { message } = await api.sendMessage(
      { username, body: unsent.body },
      { idempotencyKey: unsent.key },
    );
    addMessages(queryClient, username, [message]);
    updateOutbox(queryClient, outbox, others);
    void queryClient.invalidateQueries({ queryKey: ["messages", "conversations"] });
  } catch (error) {
    const failure = error instanceof TandemError ? error : new TandemError(0, unreachable);
    updateOutbox(queryClient, outbox, (list) =>
      list.map((message) => (message.key === unsent.key ? { ...message, failure } : message)),
    );
  }
}

const unreachable = { error: "", code: "unreachable" } as const;

/** Changes what is shown, and what the browser keeps: other tabs may have added to that. */
function updateOutbox(queryClient: QueryClient, outbox: Outbox, update: (list: Unsent[]) => Unsent[]): void {
  queryClient.setQueryData<Unsent[]>(keyOf(outbox), (list = []) => update(list));
  const messages = update(readOutbox(outbox)).map(({ key, body }) => ({ key, body }));
  writeStored(outbox.storageKey, messages.length > 0 ? { messages } : null);
}

/** What the browser keeps from an earlier visit. */
function readOutbox({ storageKey }: Outbox): Unsent[] {
  const stored = readStored<{ messages: Pick<Unsent, "key" | "body">[] }>(storageKey);
  return (stored?.messages ?? []).map(({ key, body }) => ({ key, body, failure: "left" }));
}
