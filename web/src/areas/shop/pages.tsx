export { Mine } from "./mine.tsx";
export { Shop } from "./shop.tsx";
