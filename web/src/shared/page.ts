import type { ComponentType } from "react";
import type { AppContext } from "./context.ts";
import type { Head } from "./rendering.ts";

/** Values of a path and of a query, as they stand in the address. */
export type AddressValues = Readonly<Record<string, string | undefined>>;

export interface PageRequest extends AppContext {
  params: AddressValues;
  search: AddressValues;
}

/**
 * A page: what it must have before it is drawn, what it says in the document's head, and how it is drawn. `load` fills the
 * query cache, with what the service throws thrown on; it runs in the service first, and in the browser at each visit.
 */
export interface Page {
  load?(request: PageRequest): Promise<unknown>;
  head(request: PageRequest): Head;
  View: ComponentType;
}

export const page = <P extends Page>(definition: P): P => definition;
