import { register } from "tsx/esm/api";

/* A thread inherits no way of reading TypeScript from whatever began it, so it begins with what every Node reads. */
register();
await import("./thread.ts");
