export { MyProducts } from "./mine.tsx";
export { Shop } from "./shop.tsx";
