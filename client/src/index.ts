export { type Client, createClient, type Sent } from "./client.ts";
export type { PageOptions } from "./pages.ts";
export type { CallOptions, ClientOptions } from "./request.ts";
export { type Outcome, outcome, PendingApproval, TandemError } from "./tandem-error.ts";
export type { Upload } from "./uploads.ts";
