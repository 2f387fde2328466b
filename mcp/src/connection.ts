import type { ClientOptions } from "@tandem/client/index";
import type { Offer } from "./visibility.ts";

/** A caller's connection to the service. */
export interface Connection extends Offer {
  /** The service's address, the key, and how requests are sent. */
  client: ClientOptions;
}
