import type { ComponentType } from "react";
import type { AppContext } from "./context.ts";
import type { RequiredRole } from "./paths.ts";
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
  /** What visitors are told who have to log in first, if the general words would mislead. */
  logIn?(context: AppContext): LogInTexts;
}

export interface LogInTexts {
  title: string;
  description: string;
  /** Pages that say more, to everyone. */
  links?: { to: string; label: string }[];
}

/** A page that is ready to render. */
export type LoadedPage =
  | { requiredRole: null; page: Page; request: PageRequest }
  /** The role that this page requires and the reader lacks. A prompt is rendered instead. */
  | { requiredRole: RequiredRole; logIn: LogInTexts | undefined };

/** Thrown by `load` if there is no such page. */
export class NotFound extends Error {}

/** Thrown if a page's code or texts can't be loaded, as without a connection. */
export class Unreachable extends Error {}

export const page = <P extends Page>(definition: P): P => definition;
