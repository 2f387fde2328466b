import type { ComponentType } from "react";
import type { AppContext } from "./context.ts";
import type { Head } from "./rendering.ts";

/** Values of path or query parameters, as the URL has them. */
export type AddressValues = Readonly<Record<string, string | undefined>>;

export interface PageRequest extends AppContext {
  params: AddressValues;
  search: AddressValues;
}

/**
 * A page. `load` fills the query cache before the page renders, and rethrows API errors; it runs on the
 * server for the first page, and in the browser for each later one. `head` returns the document's metadata.
 */
export interface Page {
  load?(request: PageRequest): Promise<unknown>;
  head(request: PageRequest): Head;
  View: ComponentType;
}

/** A page that is ready to render. */
export type LoadedPage =
  | { requiredRole: null; page: Page; request: PageRequest }
  /** The role that this page requires and the reader lacks. A sign-in prompt is rendered instead. */
  | { requiredRole: "members" | "admins" };

/** Thrown by `load` if there is no such page. */
export class NotFound extends Error {}

export const page = <P extends Page>(definition: P): P => definition;
