import { setFlagsFromString } from "node:v8";

/**
 * V8 lets a small heap grow to several times of what is in use before it collects garbage. At 160 %, the process needs a third less memory, and
 * collects more often, mostly in other threads.
 */
setFlagsFromString("--heap-growing-percent=60");
