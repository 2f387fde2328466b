import { type FlatClient, TandemError } from "@tandem/client";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../shared/context.ts";
import { newIdempotencyKey, useStorageChange, useStorageKey } from "./draft-storage.ts";
import { addMessages } from "./messages.ts";
import { readStored, writeStored } from "./stored.ts";

/** A message that the server hasn't confirmed. It stays until it is, even if the page is left. */
export interface Unsent {
  /** Also the idempotency key, so that a retry can't send the message twice. */
  key: string;
  body: string;
  /**
   * Why it wasn't sent: an error, or "left" if the page was left before a response arrived. Null while sending.
   */
  failure: TandemError | "left" | null;
}

/** The messages to one account, and where they are stored. */
interface Outbox {
  storageKey: string;
  username: string;
}

const keyOf = ({ storageKey }: Outbox) => ["outbox", storageKey];

/** The unsent messages to an account, and the functions to send, retry and discard them. */
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
  // Drops messages that another tab has sent or discarded.
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

async function deliver(
  api: FlatClient,
  queryClient: QueryClient,
  outbox: Outbox,
  unsent: Unsent,
): Promise<void> {
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

/** Updates the cache and the stored messages separately, because other tabs may have stored more. */
function updateOutbox(queryClient: QueryClient, outbox: Outbox, update: (list: Unsent[]) => Unsent[]): void {
  queryClient.setQueryData<Unsent[]>(keyOf(outbox), (list = []) => update(list));
  const messages = update(readOutbox(outbox)).map(({ key, body }) => ({ key, body }));
  writeStored(outbox.storageKey, messages.length > 0 ? { messages } : null);
}

/** The messages stored by an earlier visit or another tab. */
function readOutbox({ storageKey }: Outbox): Unsent[] {
  const stored = readStored<{ messages: Pick<Unsent, "key" | "body">[] }>(storageKey);
  return (stored?.messages ?? []).map(({ key, body }) => ({ key, body, failure: "left" }));
}
