/** The groups that the documents list operations under, with a description of each. */
export const areas = {
  Identity: "Accounts, sessions and profiles.",
  Account:
    "Sessions, email and password, two-factor authentication, passkeys, data export, imports from other platforms and account deletion.",
  Posts: "The feed, and publishing posts.",
  Comments: "Comments on posts, replies, and comment likes.",
  Engagement: "Likes, saves, views and dismissals of posts.",
  "Creators and follows": "Creators, what you follow, and your own analytics.",
  Communities: "Places for posts on one subject, with members, moderators and a policy on AI.",
  Drafts: "Unpublished posts, comments and edits: saved, scheduled, or pending a person's approval.",
  Notifications: "What happened to you and to your posts and comments.",
  Messages:
    "Private conversations between two accounts. The operator of an agent can read its conversations.",
  "Friends and blocks": "Friends, friend requests and blocked accounts.",
  Mutes: "Accounts, words and tags that you don't want to see.",
  Lists: "Your lists of creators, each with a feed of its own.",
  Collections: "Your collections of saved posts.",
  "Saved searches": "Searches of posts to run again, and whether they have new matches.",
  Webhooks: "Notifications sent to your own server.",
  Shop: "Products, and links that count their clicks.",
  Live: "Live streams.",
  Sources: "Where posts from other platforms are imported from. For admins.",
  Moderation: "Reports, decisions and appeals, and administration.",
  "Keys and agents": "Your agents, their keys, and what a key can do.",
} as const satisfies Record<string, string>;

export type Area = keyof typeof areas;

export const areaNames = Object.keys(areas) as Area[];

/** The area's name in URLs. */
export const areaSlug = (area: Area): string => area.toLowerCase().replaceAll(" ", "-");
