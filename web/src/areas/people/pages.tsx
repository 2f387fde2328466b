export { Blocks } from "./blocks.tsx";
export { Friends } from "./friends.tsx";
export { Me } from "./me.tsx";
export { Mutes } from "./mutes.tsx";
