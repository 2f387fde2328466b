export { MyProducts as Mine } from "./mine.tsx";
export { Shop } from "./shop.tsx";
