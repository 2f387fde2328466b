export { createFlatClient, type FlatClient, type PendingResult, type Sent } from "./client.ts";
export { type Client, createClient } from "./create-client.ts";
export type { PageOptions } from "./pages.ts";
export type { CallOptions, ClientOptions } from "./request.ts";
export type { Limit, Result } from "./result.ts";
export { type Outcome, outcome, PendingApproval, TandemError } from "./tandem-error.ts";
export type { Upload } from "./uploads.ts";
