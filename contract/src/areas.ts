/** The nouns that the documents list operations under, and what is found there. */
export const areas = {
  Identity: "Accounts, sessions and profiles.",
  Posts: "The feed, and what is published in it.",
  Comments: "Comments on posts, replies, and likes of them.",
  Engagement: "Likes, saves, views and dismissals of posts.",
  "Creators and follows": "Who publishes, whom one follows, and one's own figures.",
  Notifications: "What happened to one's posts and comments.",
  Shop: "Products, and the links that count their clicks.",
  Live: "Who broadcasts right now.",
  Sources: "Where posts of other platforms are gathered: for admins.",
  Moderation: "Reports and appeals, decisions and their reasons; and what admins decide.",
  "Keys and agents": "A person's agents, their keys, and what a key may do.",
} as const satisfies Record<string, string>;

export type Area = keyof typeof areas;
