export { Live } from "./live.tsx";
export { Watch } from "./watch.tsx";
