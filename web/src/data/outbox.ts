import { type Client, TandemError } from "@tandem/client";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "./context.ts";
import { addMessages } from "./messages.ts";

/** A message that isn't with the service yet. It stays, wherever one goes in the app, until it is. */
export interface Unsent {
  /** Names it to the service as well, so that sending it again can't send it twice. */
  key: string;
  body: string;
  /** What kept it; null while it is on its way. */
  error: TandemError | null;
}

const keyOf = (username: string) => ["outbox", username.toLowerCase()];

/** What waits to be sent to somebody, and how it is sent. */
export function useOutbox(username: string) {
  const api = useApi();
  const data = useQueryClient();
  const { data: unsent = [] } = useQuery<Unsent[]>({
    queryKey: keyOf(username),
    queryFn: () => [],
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return {
    unsent,
    send: (body: string) => deliver(api, data, username, { key: newKey(), body, error: null }),
    again: (message: Unsent) => deliver(api, data, username, { ...message, error: null }),
    discard: ({ key }: Unsent) => change(data, username, (list) => list.filter((one) => one.key !== key)),
  };
}

async function deliver(api: Client, data: QueryClient, username: string, unsent: Unsent): Promise<void> {
  const others = (list: Unsent[]) => list.filter(({ key }) => key !== unsent.key);
  change(data, username, (list) => [...others(list), unsent]);
  try {
    const { message } = await api.sendMessage(
      { username, body: unsent.body },
      { idempotencyKey: unsent.key },
    );
    addMessages(data, username, [message]);
    change(data, username, others);
    void data.invalidateQueries({ queryKey: ["messages", "conversations"] });
  } catch (error) {
    const told = error instanceof TandemError ? error : new TandemError(0, unreachable);
    change(data, username, (list) =>
      list.map((one) => (one.key === unsent.key ? { ...one, error: told } : one)),
    );
  }
}

const unreachable = { error: "", code: "unreachable" } as const;

function change(data: QueryClient, username: string, how: (list: Unsent[]) => Unsent[]): void {
  data.setQueryData<Unsent[]>(keyOf(username), (list = []) => how(list));
}

const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-");
