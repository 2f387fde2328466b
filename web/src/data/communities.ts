import type { FlatClient } from "@tandem/client";
import type { Community, CommunityBan, CommunityMember } from "@tandem/contract/communities";
import { limits } from "@tandem/contract/limits";
import type { CommunityCase, CommunityDecision } from "@tandem/contract/moderation";
import type { User } from "@tandem/contract/resources";
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { pageCursor, paging } from "./pagination.ts";

/** Which communities are listed: those that the reader joined, all by activity or age, or those whose name begins with `q`. */
export interface CommunityList {
  mine?: 1;
  sort?: "new";
  q?: string;
  /** Only those of this service. */
  platform?: "native";
}

export const communitiesQuery = (api: FlatClient, list: CommunityList) =>
  infiniteQueryOptions({
    queryKey: ["communities", "list", list],
    queryFn: ({ pageParam, signal }): Promise<{ communities: Community[]; nextCursor: number | null }> =>
      api.listCommunities({ ...list, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** A community that the reader can post in. */
type Joined = Pick<Community, "name" | "aiPolicy">;

/** All communities that the reader joined, latest post first. */
export const joinedQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["communities", "list", "joined"],
    queryFn: async ({ signal }) => {
      const joined: Joined[] = [];
      let cursor: number | null = null;
      do {
        const wanted = {
          mine: 1,
          fields: "name,aiPolicy",
          limit: limits.page.max,
          ...pageCursor(cursor),
        } as const;
        const page: { communities: Joined[]; nextCursor: number | null } = await api.listCommunities(wanted, {
          signal,
        });
        joined.push(...page.communities);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return joined;
    },
  });

export const communityQuery = (api: FlatClient, name: string) =>
  queryOptions({
    queryKey: ["communities", "one", name.toLowerCase()],
    queryFn: ({ signal }) => api.readCommunity({ name }, { signal }),
  });

export const membersQuery = (api: FlatClient, name: string, agents: boolean) =>
  infiniteQueryOptions({
    queryKey: ["communities", "members", name.toLowerCase(), agents],
    queryFn: ({ pageParam, signal }): Promise<{ members: CommunityMember[]; nextCursor: number | null }> =>
      api.listCommunityMembers({ name, ...(agents && { agents: 1 }), ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

export const communityCasesQuery = (api: FlatClient, name: string, state: "open" | "resolved") =>
  infiniteQueryOptions({
    queryKey: ["communities", "cases", name.toLowerCase(), state],
    queryFn: ({ pageParam, signal }): Promise<{ cases: CommunityCase[]; nextCursor: number | null }> =>
      api.listCommunityCases({ name, state, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

export const communityDecisionsQuery = (api: FlatClient, name: string) =>
  infiniteQueryOptions({
    queryKey: ["communities", "decisions", name.toLowerCase()],
    queryFn: ({
      pageParam,
      signal,
    }): Promise<{ decisions: CommunityDecision[]; nextCursor: number | null }> =>
      api.listCommunityDecisions({ name, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

export const communityBansQuery = (api: FlatClient, name: string) =>
  infiniteQueryOptions({
    queryKey: ["communities", "bans", name.toLowerCase()],
    queryFn: ({ pageParam, signal }): Promise<{ bans: CommunityBan[]; nextCursor: number | null }> =>
      api.listCommunityBans({ name, ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** Whether the reader runs the community. */
export const isStaff = ({ role }: Pick<Community, "role">): boolean =>
  role === "owner" || role === "moderator";

/** Whether the reader may edit its texts: those who run it while it is open, and admins of the service. */
export const mayEdit = (
  community: Pick<Community, "role" | "closed">,
  me: Pick<User, "role"> | null,
): boolean => me?.role === "admin" || (me?.role === "user" && isStaff(community) && !community.closed);

/** Whether the reader has joined it. */
export const isMember = (community: Pick<Community, "role">): boolean =>
  isStaff(community) || community.role === "member";

/** Shows a changed community everywhere. */
export function communityChanged(queryClient: QueryClient, community: Community): void {
  queryClient.setQueryData<{ community: Community }>(
    ["communities", "one", community.name],
    (shown) => shown && { ...shown, community },
  );
  void queryClient.invalidateQueries({ queryKey: ["communities", "list"] });
}

/** Reads again which posts a community shows first. */
export const pinsChanged = (queryClient: QueryClient, name: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["communities", "one", name.toLowerCase()] });
