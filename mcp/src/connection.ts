import type { ClientOptions } from "@tandem/client/index";
import type { Offer } from "./visibility.ts";

/** Everything that a caller's tools need of the world. */
export interface Connection extends Offer {
  /** Where the service is, the key to speak with, and how requests get there. */
  client: ClientOptions;
}
