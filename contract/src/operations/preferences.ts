import { Checklist } from "../account-resources.ts";
import { Ok } from "../fields.ts";
import { anyone, operation, peopleOnly, sessionOnly, signedIn } from "../operation.ts";
import { Preferences } from "../resources.ts";
import { optional, privateText } from "../schema.ts";

const area = "Identity";
const { aiPosts, aiComments, aiNotifications, sensitivePosts, emailDigest } = Preferences.properties;

export const readPreferences = operation({
  name: "readPreferences",
  area,
  route: "GET /api/users/preferences",
  access: signedIn,
  response: { preferences: Preferences },
  description:
    "Get your preferences for displaying AI content and sensitive posts, and how often you get a digest by email.",
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
    emailDigest: optional(emailDigest),
  },
  response: { preferences: Preferences },
  description:
    "Choose whether AI content is shown, dimmed or hidden, and sensitive posts likewise, and how often you get a digest by email. Omitted fields don't change.",
});

export const endDigest = operation({
  name: "endDigest",
  area,
  route: "POST /api/digest/end",
  access: anyone,
  body: {
    token: privateText(1, 200, {
      "x-code": "invalid_token",
      description: "The token from the link.",
      examples: ["pLkD0cGmJm1Xw8yqfC2vYbTz"],
    }),
  },
  response: { ok: Ok },
  effect: "sets",
  errors: ["invalid_token"],
  exposure: "hidden",
  description: "Stop a digest with the token from the link in it. No log-in is needed.",
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
