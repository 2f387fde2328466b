import type { PoolClient, QueryConfig, QueryResult } from "pg";

/**
 * Sends a transaction's statements, several in one packet where possible: those whose results aren't needed wait for the next
 * one whose result is, and `begin` for the first. The server executes all in order. After a statement fails, the following
 * ones fail too, and the commit becomes a rollback.
 */
export class Pipeline {
  readonly #client: PoolClient;
  #begin: string | null = null;
  #deferred: QueryConfig[] = [];
  #sent: Promise<unknown>[] = [];

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** Begins a transaction with its first statement. */
  begin(text: string): void {
    this.#begin = text;
    this.#deferred = [];
    this.#sent = [];
  }

  /** Sends a statement with the next one, or with the commit. */
  defer(config: QueryConfig): void {
    this.#deferred.push(config);
  }

  async query(config: QueryConfig): Promise<QueryResult> {
    const begin = this.#begin;
    this.#begin = null;
    if (begin !== null) return this.#first(begin, config);
    return this.#send(this.#deferred.splice(0), config);
  }

  /** If `begin` fails, whatever follows in its packet runs outside of a transaction; so nothing that writes may be in there. */
  async #first(begin: string, config: QueryConfig): Promise<QueryResult> {
    if (this.#deferred.length > 0 || !/^\s*select\b/i.test(config.text)) {
      await this.#client.query(begin);
      return this.#send(this.#deferred.splice(0), config);
    }
    const result = await this.#send([{ text: begin }], config);
    await Promise.all(this.#sent);
    return result;
  }

  /** The error of a statement that was sent without waiting for it, if it caused this one. */
  async causeOf(error: unknown): Promise<unknown> {
    const failed = (await Promise.allSettled(this.#sent)).find(({ status }) => status === "rejected");
    return failed?.status === "rejected" ? failed.reason : error;
  }

  #send(before: readonly QueryConfig[], config: QueryConfig): Promise<QueryResult> {
    if (before.length === 0) return this.#client.query(config);
    const { stream } = this.#client.connection;
    stream.cork();
    try {
      for (const one of before) {
        const sent = this.#client.query(one);
        // `causeOf` reports it.
        sent.catch(() => {});
        this.#sent.push(sent);
      }
      return this.#client.query(config);
    } finally {
      stream.uncork();
    }
  }
}
