import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { decode, encode } from "dns-packet";

/** A local DNS server over UDP. */
export class NameServer implements AsyncDisposable {
  /** Number of lookups, by type and name, such as `A example.org`. */
  readonly lookups = new Map<string, number>();
  readonly #socket: Socket = createSocket("udp4");
  readonly #leads = new Map<string, string[][]>();

  private constructor() {
    this.#socket.on("message", (message, { port, address }) => {
      this.#socket.send(this.#answer(message), port, address);
    });
  }

  static async start(): Promise<NameServer> {
    const server = new NameServer();
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  /** Host and port, as resolvers take them. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** Sets a name's addresses: the first list is for the first lookup of each type, and so on; the last list repeats. */
  setAddresses(name: string, ...turns: string[][]): void {
    this.#leads.set(name, turns);
  }

  #answer(message: Buffer): Buffer {
    const { id, questions } = decode(message);
    const [question] = questions ?? [];
    const name = question?.name ?? "";
    const type = question?.type === "AAAA" ? "AAAA" : "A";
    const turns = this.#leads.get(name) ?? [[]];
    const before = this.lookups.get(`${type} ${name}`) ?? 0;
    this.lookups.set(`${type} ${name}`, before + 1);
    const addresses = (turns[before] ?? turns.at(-1) ?? []).filter(
      (one) => one.includes(":") === (type === "AAAA"),
    );
    const answers = addresses.map((data) => ({ type, name, ttl: 0, data }) as const);
    return encode({ type: "response", id, questions, answers, flags: 0x0180 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }
}
