export { List } from "./list.tsx";
export { Lists } from "./lists.tsx";
