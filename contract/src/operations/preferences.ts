import { Checklist } from "../account-resources.ts";
import { operation, peopleOnly, sessionOnly, signedIn } from "../operation.ts";
import { Preferences } from "../resources.ts";
import { optional } from "../schema.ts";

const area = "Identity";
const { aiPosts, aiComments, aiNotifications, sensitivePosts } = Preferences.properties;

export const readPreferences = operation({
  name: "readPreferences",
  area,
  route: "GET /api/users/preferences",
  access: signedIn,
  response: { preferences: Preferences },
  description: "Get your preferences for displaying AI content and sensitive posts.",
});

export const editPreferences = operation({
  name: "editPreferences",
  area,
  route: "PATCH /api/users/preferences",
  access: sessionOnly,
  body: {
    aiPosts: optional(aiPosts),
    aiComments: optional(aiComments),
    aiNotifications: optional(aiNotifications),
    sensitivePosts: optional(sensitivePosts),
  },
  response: { preferences: Preferences },
  description:
    "Choose whether AI content is shown, dimmed or hidden, and sensitive posts likewise. Omitted fields don't change.",
});

export const readChecklist = operation({
  name: "readChecklist",
  area,
  route: "GET /api/users/checklist",
  access: peopleOnly,
  response: { checklist: Checklist },
  description: "Get the first steps that the web app suggests to new people, and which are done.",
});

export const closeChecklist = operation({
  name: "closeChecklist",
  area,
  route: "DELETE /api/users/checklist",
  access: peopleOnly,
  response: { checklist: Checklist },
  description: "Stop suggesting first steps.",
});
