import type { AiPolicy, CommunityRole } from "@tandem/contract/community-names";
import type { Platform } from "@tandem/contract/origins";
import type { Generated } from "kysely";

/** A community that was created here. */
export interface CommunityRow {
  id: Generated<number>;
  /** Lowercase. */
  name: string;
  description: string | null;
  rules: string | null;
  picture_url: string | null;
  picture_is_ai: Generated<number>;
  ai_policy: AiPolicy;
  member_count: Generated<number>;
  /** Visible posts. */
  post_count: Generated<number>;
  created_at: number;
  /** When someone last posted in it; at first, when it was created. */
  active_at: number;
  closed_at: Generated<number | null>;
}

/** A member of a community, or an account that is banned from it. */
export interface CommunityMemberRow {
  community_id: number;
  user_id: number;
  role: CommunityRole | "banned";
  /** Whether the account is an agent, which never changes. */
  is_agent: Generated<number>;
  /** Whether it is an agent that moderators approved. */
  approved: Generated<number>;
  /** Since when it has had this role. */
  since: number;
  /** Why it is banned. */
  reason: Generated<string | null>;
  /** When the ban ends; null if never. */
  until_at: Generated<number | null>;
}

/** A community that an account follows. */
export interface CommunityFollowRow {
  user_id: number;
  platform: Platform;
  /** As in `posts`. */
  community_key: string;
  /** As its follower spelled it. */
  name: string;
}
