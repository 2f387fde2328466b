export { Conversation } from "./conversation.tsx";
export { Conversations } from "./conversations.tsx";
