import { type RawBuilder, sql } from "kysely";
import { firstEnd } from "../../features/people/mutes.ts";
import { hotRankSql, rankedLikes } from "../../features/posts/hot.ts";
import { chose } from "../../features/posts/polls.ts";
import { ARCHIVED_RANK } from "../../storage/removed.ts";
import { derived, isDecided, type Rule } from "./rule.ts";

const count = (rows: RawBuilder<unknown>) => sql`(select count(*) from ${rows})`;
const sum = (column: string, rows: RawBuilder<unknown>) =>
  sql`(select coalesce(sum(${sql.ref(column)}), 0) from ${rows})`;

/** Counts that may be higher: what they counted can be deleted since. */
const atLeast = sql`found < expected`;

const likes = count(sql`post_likes l where l.post_id = t.id`);
const aiLikes = count(sql`post_likes l where l.post_id = t.id and l.by_ai = 1`);
const commentsOf = count(sql`comments c where c.post_id = t.id and c.deleted = 0`);

const posts: Rule[] = [
  derived({
    what: "a post's likes are counted",
    table: "posts",
    column: "like_count",
    expected: likes,
  }),
  derived({
    what: "a post's likes by AI are counted",
    table: "posts",
    column: "ai_like_count",
    expected: aiLikes,
  }),
  derived({
    what: "a post's comments are counted",
    table: "posts",
    column: "comment_count",
    expected: commentsOf,
  }),
  derived({
    what: "a post's reposts are counted",
    table: "posts",
    column: "repost_count",
    expected: count(sql`reposts r where r.post_id = t.id`),
  }),
  derived({
    what: "a post's reposts by AI are counted",
    table: "posts",
    column: "ai_repost_count",
    expected: count(sql`reposts r where r.post_id = t.id and r.by_ai = 1`),
  }),
  derived({
    what: "a post's quotes are counted",
    table: "posts",
    column: "quote_count",
    expected: count(sql`posts q where q.quoted_id = t.id and q.removed = 0`),
    where: sql`not exists (select 1 from posts q where q.quoted_id = t.id and not ${isDecided("q")})`,
  }),
  derived({
    what: "a post's clicks are counted",
    table: "posts",
    column: "click_count",
    expected: sum("clicks", sql`product_clicks c where c.post_id = t.id`),
    wrong: atLeast,
  }),
  derived({
    what: "a post's hot rank follows from its counts",
    table: "posts",
    column: "hot_rank",
    expected: sql`case when t.archived = 1 then ${sql.lit(ARCHIVED_RANK)} else ${hotRankSql({
      score: sql`(t.origin_score + ${rankedLikes({ likes: sql`t.like_count`, aiLikes: sql`t.ai_like_count` })})`,
      comments: sql`t.comment_count`,
      postedAt: sql`t.posted_at`,
    })} end`,
    // While a job computes ranks again, both old and new ones are right. Of a wrong count, the rank is a consequence.
    where: sql`t.removed = 0 and ${isDecided("t")} and not exists (select 1 from ranking where reranked_upto is not null)
      and t.like_count = ${likes} and t.ai_like_count = ${aiLikes} and t.comment_count = ${commentsOf}`,
    // Logarithms differ in the last digits; the setting may have changed since.
    wrong: sql`abs(found - expected) > 0.000001`,
  }),
];

const polls: Rule[] = [
  derived({
    what: "a poll's voters are counted",
    table: "polls",
    column: "voter_count",
    key: "post_id",
    expected: count(sql`poll_votes v where v.post_id = t.post_id`),
  }),
  derived({
    what: "a poll's voters that are AI are counted",
    table: "polls",
    column: "ai_voter_count",
    key: "post_id",
    expected: count(sql`poll_votes v where v.post_id = t.post_id and v.by_ai = 1`),
  }),
  derived({
    what: "an option's votes are counted",
    table: "poll_options",
    column: "vote_count",
    key: "post_id",
    expected: count(sql`poll_votes v where v.post_id = t.post_id and ${chose("t")}`),
  }),
  derived({
    what: "an option's votes by AI are counted",
    table: "poll_options",
    column: "ai_vote_count",
    key: "post_id",
    expected: count(sql`poll_votes v where v.post_id = t.post_id and v.by_ai = 1 and ${chose("t")}`),
  }),
];

const creators: Rule[] = [
  derived({
    what: "a creator's posts are counted",
    table: "creators",
    column: "post_count",
    expected: count(sql`posts p where p.creator_id = t.id and p.archived = 0`),
    where: sql`t.id > 0`,
  }),
  derived({
    what: "a creator's views are counted",
    table: "creators",
    column: "view_count",
    expected: sum("view_count", sql`posts p where p.creator_id = t.id`),
    where: sql`t.id > 0`,
  }),
  // Counted again from the rows, so that a post with a wrong count isn't reported as its creator's fault as well.
  derived({
    what: "a creator's likes are counted",
    table: "creators",
    column: "like_count",
    expected: count(sql`posts p join post_likes l on l.post_id = p.id where p.creator_id = t.id`),
    where: sql`t.id > 0`,
  }),
  derived({
    what: "a creator's comments are counted",
    table: "creators",
    column: "comment_count",
    expected: count(
      sql`posts p join comments c on c.post_id = p.id where p.creator_id = t.id and c.deleted = 0`,
    ),
    where: sql`t.id > 0`,
  }),
  derived({
    what: "a creator's clicks are counted",
    table: "creators",
    column: "click_count",
    expected: sum(
      "clicks",
      sql`product_clicks c join products p on p.id = c.product_id where p.user_id = t.user_id`,
    ),
    where: sql`t.user_id is not null`,
    wrong: atLeast,
  }),
  derived({
    what: "a creator's followers are counted",
    table: "creators",
    column: "follower_count",
    expected: count(sql`follows f where f.creator_id = t.id`),
  }),
];

const comments: Rule[] = [
  derived({
    what: "a comment's likes are counted",
    table: "comments",
    column: "like_count",
    expected: count(sql`comment_likes l where l.comment_id = t.id`),
  }),
  derived({
    what: "a comment's likes by AI are counted",
    table: "comments",
    column: "ai_like_count",
    expected: count(sql`comment_likes l where l.comment_id = t.id and l.by_ai = 1`),
  }),
  derived({
    what: "a comment's replies are counted",
    table: "comments",
    column: "reply_count",
    expected: count(sql`comments c where c.parent_id = t.id`),
  }),
];

const accounts: Rule[] = [
  derived({
    what: "unread notifications are counted",
    table: "users",
    column: "unread",
    expected: count(sql`notifications n where n.user_id = t.id and n.id > t.read_upto and n.opened = 0`),
  }),
  derived({
    what: "accounts with blocks are marked",
    table: "users",
    column: "has_blocks",
    expected: sql`1`,
    where: sql`exists (select 1 from blocks b where b.user_id = t.id)`,
  }),
  derived({
    what: "followed hashtags are counted",
    table: "users",
    column: "followed_tags",
    expected: count(sql`tag_follows f where f.user_id = t.id`),
  }),
  derived({
    what: "followed communities are counted",
    table: "users",
    column: "followed_communities",
    expected: count(sql`community_follows f where f.user_id = t.id`),
  }),
  derived({
    what: "accounts say when their mutes change",
    table: "users",
    column: "mutes_change_at",
    expected: firstEnd(sql`t.id`),
    where: sql`t.mutes_change_at is not null or exists (select 1 from mutes m where m.user_id = t.id)`,
    wrong: sql`found is distinct from expected`,
  }),
  derived({
    what: "a case's reports are counted",
    table: "report_cases",
    column: "reports",
    expected: count(sql`reports r where r.case_id = t.id`),
    wrong: atLeast,
  }),
];

const collections: Rule[] = [
  derived({
    what: "a collection's posts are counted",
    table: "collections",
    column: "post_count",
    expected: count(sql`collection_posts p where p.collection_id = t.id`),
  }),
];

const communities: Rule[] = [
  derived({
    what: "a community's members are counted",
    table: "communities",
    column: "member_count",
    expected: count(sql`community_members m where m.community_id = t.id and m.role <> 'banned'`),
  }),
  derived({
    what: "a community's posts are counted",
    table: "communities",
    column: "post_count",
    expected: count(sql`posts p where p.community_key = t.name and p.platform = 'native'`),
  }),
];

export const counterRules: readonly Rule[] = [
  ...posts,
  ...polls,
  ...creators,
  ...comments,
  ...accounts,
  ...communities,
  ...collections,
];
