export { Communities } from "./communities.tsx";
export { Community } from "./community.tsx";
export { EditCommunity } from "./edit-community.tsx";
export { Members } from "./members.tsx";
export { Moderation } from "./moderation.tsx";
export { NewCommunity } from "./new-community.tsx";
