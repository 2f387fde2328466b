export { AiContents } from "./ai-contents.tsx";
export { People } from "./people.tsx";
export { Topics } from "./topics.tsx";
