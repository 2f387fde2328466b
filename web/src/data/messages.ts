import type { FlatClient } from "@tandem/client";
import type { Conversation, Message } from "@tandem/contract/people";
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { mapPages, pageCursor, paging } from "./pagination.ts";
import { streamKey } from "./poll.ts";

/** Milliseconds between two polls without a notification stream, while the page is visible. */
export const POLL = { conversation: 4_000, list: 15_000 };

interface Page {
  messages: Message[];
  nextCursor: number | null;
}

const keyOf = (username: string) => ["messages", "with", username.toLowerCase()];

/** Conversations, most recently active first. */
export const conversationsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["messages", "conversations"],
    queryFn: ({ pageParam, signal }): Promise<{ conversations: Conversation[]; nextCursor: number | null }> =>
      api.listConversations(pageCursor(pageParam), { signal }),
    ...paging,
  });

/** The messages of one conversation, newest first. */
export const messagesQuery = (api: FlatClient, username: string) =>
  infiniteQueryOptions({
    queryKey: keyOf(username),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listMessages({ username, ...pageCursor(pageParam) }, { signal }),
    ...paging,
    // New messages are added to the first page, so no page is ever refetched for them.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Fetches the latest messages and adds new ones to the cached conversation. */
export const newMessagesQuery = (api: FlatClient, queryClient: QueryClient, username: string) =>
  queryOptions({
    queryKey: ["messages", "new", username.toLowerCase()],
    queryFn: async ({ signal }) => {
      const page = await api.listMessages({ username }, { signal });
      mergeLatest(queryClient, username, page);
      return page.messages[0]?.id ?? null;
    },
    staleTime: POLL.conversation,
  });

/** Reloads the conversation if more messages arrived than fit a page, instead of showing it with a gap. */
function mergeLatest(queryClient: QueryClient, username: string, page: Page): void {
  const key = keyOf(username);
  const known = queryClient.getQueryData<InfiniteData<Page>>(key)?.pages[0]?.messages[0];
  const gap = known && page.nextCursor !== null && page.messages.every(({ id }) => id > known.id);
  if (gap) void queryClient.resetQueries({ queryKey: key });
  else addMessages(queryClient, username, page.messages);
}

/** Adds messages in order, without duplicates. */
export function addMessages(queryClient: QueryClient, username: string, messages: readonly Message[]): void {
  queryClient.setQueryData<InfiniteData<Page>>(keyOf(username), (list) => {
    const known = new Set(list?.pages.flatMap((page) => page.messages.map(({ id }) => id)));
    const added = messages.filter(({ id }) => !known.has(id));
    const [first] = list?.pages ?? [];
    if (added.length === 0 || !first) return list;
    return mapPages(list, (page) =>
      page === first ? { ...page, messages: [...added, ...page.messages].sort((a, b) => b.id - a.id) } : page,
    );
  });
}

/**
 * Refreshes conversations and messages. Invalidation doesn't restart a query that is loading for the first
 * time, and that one may have missed the change; so this waits for it first.
 */
export async function refreshMessages(queryClient: QueryClient): Promise<void> {
  const predicate = ({ queryKey: [area, part] }: { queryKey: readonly unknown[] }) =>
    area === "messages" && (part === "conversations" || part === "new");
  const loading = queryClient.getQueryCache().findAll({ predicate, fetchStatus: "fetching" });
  const first = loading.filter(({ state }) => state.data === undefined);
  await Promise.allSettled(first.map(({ promise }) => promise));
  await queryClient.invalidateQueries({ predicate });
}

/** Marks a conversation as read in the cache. */
export function markAsRead(queryClient: QueryClient, username: string): void {
  if (!queryClient.getQueryData(streamKey))
    void queryClient.invalidateQueries({ queryKey: ["messages", "unread"] });
  queryClient.setQueryData<InfiniteData<{ conversations: Conversation[] }>>(
    ["messages", "conversations"],
    (list) =>
      mapPages(list, (page) => ({
        ...page,
        conversations: page.conversations.map((conversation) =>
          conversation.with.toLowerCase() === username.toLowerCase()
            ? { ...conversation, unread: 0 }
            : conversation,
        ),
      })),
  );
}

/** All messages, oldest first. */
export function messagesOf({ pages }: Pick<InfiniteData<Page>, "pages">): Message[] {
  return pages.flatMap(({ messages }) => messages).reverse();
}
