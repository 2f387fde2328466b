import { type Client, TandemError } from "@tandem/client";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../shared/context.ts";
import { newKey, readKept, useKeptName, useOtherTabs, writeKept } from "./draft-storage.ts";
import { addMessages } from "./messages.ts";

/** A message that isn't with the service yet, as far as one knows here. It stays, be the page left, until it is. */
export interface Unsent {
  /** Names it to the service as well, so that sending it again can't send it twice. */
  key: string;
  body: string;
  /** What kept it: an error, or that the page was left before an answer came; null while it is on its way. */
  held: TandemError | "left" | null;
}

/** Whose messages to whom: how they are named here, and to the service. */
interface Place {
  name: string;
  username: string;
}

const keyOf = ({ name }: Place) => ["outbox", name];

/** What waits to be sent to somebody, and how it is sent. */
export function useOutbox(username: string) {
  const api = useApi();
  const data = useQueryClient();
  const place = { username, name: useKeptName(`outbox.${username.toLowerCase()}`) };
  const { data: unsent = [] } = useQuery({
    queryKey: keyOf(place),
    queryFn: () => leftAt(place),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
  });
  // What another tab has sent or discarded doesn't wait here any more.
  useOtherTabs(place.name, () => {
    const there = new Set(leftAt(place).map(({ key }) => key));
    data.setQueryData<Unsent[]>(keyOf(place), (list = []) =>
      list.filter(({ key, held }) => held === null || there.has(key)),
    );
  });
  return {
    unsent,
    send: (body: string) => deliver(api, data, place, { key: newKey(), body, held: null }),
    again: (message: Unsent) => deliver(api, data, place, { ...message, held: null }),
    discard: ({ key }: Unsent) => change(data, place, (list) => list.filter((one) => one.key !== key)),
  };
}

async function deliver(api: Client, data: QueryClient, place: Place, unsent: Unsent): Promise<void> {
  const { username } = place;
  const others = (list: Unsent[]) => list.filter(({ key }) => key !== unsent.key);
  change(data, place, (list) => [...others(list), unsent]);
  try {
    const { message } = await api.sendMessage(
      { username, body: unsent.body },
      { idempotencyKey: unsent.key },
    );
    addMessages(data, username, [message]);
    change(data, place, others);
    void data.invalidateQueries({ queryKey: ["messages", "conversations"] });
  } catch (error) {
    const held = error instanceof TandemError ? error : new TandemError(0, unreachable);
    change(data, place, (list) => list.map((one) => (one.key === unsent.key ? { ...one, held } : one)));
  }
}

const unreachable = { error: "", code: "unreachable" } as const;

/** Changes what is shown, and what the browser keeps: other tabs may have added to that. */
function change(data: QueryClient, place: Place, how: (list: Unsent[]) => Unsent[]): void {
  data.setQueryData<Unsent[]>(keyOf(place), (list = []) => how(list));
  const messages = how(leftAt(place)).map(({ key, body }) => ({ key, body }));
  writeKept(place.name, messages.length > 0 ? { messages } : null);
}

/** What the browser keeps from an earlier visit. */
function leftAt({ name }: Place): Unsent[] {
  const kept = readKept<{ messages: Pick<Unsent, "key" | "body">[] }>(name);
  return (kept?.messages ?? []).map(({ key, body }) => ({ key, body, held: "left" }));
}
