export { Analytics } from "./analytics.tsx";
export { Creator } from "./creator.tsx";
export { Find } from "./find.tsx";
export { Following } from "./following.tsx";
