import type { Services } from "../http/services.ts";

/** Periodic work that one process of all that share a database does at a time. */
export interface Job {
  /** Unique name, used in the database and the log. */
  readonly name: string;
  /** Milliseconds from the end of one run to the next. */
  readonly every: number;
  /**
   * Does the work once. `signal` aborts when the service stops or another process may have taken over: the run should end
   * soon and doesn't count. A new run may start before an aborted one has ended, so runs must tolerate that.
   */
  run(services: Services, signal: AbortSignal): Promise<void>;
}
