import { fileURLToPath } from "node:url";

/** Where Node keeps compiled code from one start to the next, unless NODE_COMPILE_CACHE names another folder. */
export const compileCache = fileURLToPath(new URL("../../node_modules/.cache/tandem/", import.meta.url));
