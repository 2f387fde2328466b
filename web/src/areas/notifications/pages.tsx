export { Notifications } from "./notifications.tsx";
