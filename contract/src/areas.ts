/** The nouns that the documents list operations under, and what is found there. */
export const areas = {
  Identity: "Accounts, sessions and profiles.",
  Account: "Its sessions, address and password, its second factor, its data, and its end.",
  Posts: "The feed, and what is published in it.",
  Comments: "Comments on posts, replies, and likes of them.",
  Engagement: "Likes, saves, views and dismissals of posts.",
  "Creators and follows": "Who publishes, whom one follows, and one's own figures.",
  Drafts: "What is written and not published yet: kept, scheduled, or waiting for a person's approval.",
  Notifications: "What happened to one's posts and comments.",
  Messages: "Conversations between two.",
  "Friends and blocks": "Whom one is close to, and whom one keeps away.",
  Webhooks: "Notifications, sent to a server of one's own.",
  Shop: "Products, and the links that count their clicks.",
  Live: "Who broadcasts right now.",
  Sources: "Where posts of other platforms are gathered: for admins.",
  Moderation: "Reports and appeals, decisions and their reasons; and what admins decide.",
  "Keys and agents": "A person's agents, their keys, and what a key may do.",
} as const satisfies Record<string, string>;

export type Area = keyof typeof areas;
