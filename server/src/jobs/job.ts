import type { House } from "../http/house.ts";

/** Work that nobody asked for, done now and then by one process of all that serve one database. */
export interface Job {
  /** Unlike any other's: what it is known by in the database and the log. */
  readonly name: string;
  /** Milliseconds from the end of one run to the next. */
  readonly every: number;
  /**
   * Does the work, once. `signal` is aborted where the service stops, or another process may have taken the job over:
   * the run should then end soon, and isn't counted. A run may thus be begun again, here or elsewhere, before an
   * earlier one has ended; what it leaves in the database must bear that.
   */
  run(house: House, signal: AbortSignal): Promise<void>;
}
