import Type from "typebox";
import { limits } from "../limits.ts";
import { operation, signedIn } from "../operation.ts";
import { Notification } from "../resources.ts";
import { Count } from "../schema.ts";

const area = "Notifications";

export const listNotifications = operation({
  name: "listNotifications",
  area,
  route: "GET /api/notifications",
  access: signedIn,
  answer: { notifications: Type.Array(Notification), unread: Count },
  says: `The latest ${limits.notifications}, newest first.`,
});

export const countNotifications = operation({
  name: "countNotifications",
  area,
  route: "GET /api/notifications/count",
  access: signedIn,
  answer: { unread: Count },
  says: "How many are unread.",
});

export const readNotifications = operation({
  name: "readNotifications",
  area,
  route: "PATCH /api/notifications",
  access: signedIn,
  answer: { unread: Type.Literal(0) },
  says: "Mark all as read.",
});
