import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection for one request after the other that costs the sender almost nothing, so that what is measured is the service. */
export class Connection implements Disposable {
  readonly #socket: Socket;
  #received = "";
  #answered: { resolve(): void; reject(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // One character per byte, because lengths are in bytes.
    socket.setEncoding("latin1").setNoDelay(true);
    socket.on("data", (text) => this.#receive(String(text)));
    socket.on("error", (error) => this.#answered?.reject(error));
    socket.on("close", () => this.#answered?.reject(new Error("the service closed the connection")));
  }

  static async open(baseUrl: string): Promise<Connection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Sends a request as `bytesOf` writes it. Throws unless the response is a 200. */
  send(request: string): Promise<void> {
    if (this.#socket.closed) return Promise.reject(new Error("the service closed the connection"));
    this.#received = "";
    this.#socket.write(request);
    return new Promise((resolve, reject) => {
      this.#answered = { resolve, reject };
    });
  }

  #receive(text: string): void {
    this.#received += text;
    const head = this.#received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, head)) ?? [];
    if (length !== undefined && this.#received.length < head + 4 + Number(length)) return;
    if (length !== undefined && this.#received.startsWith("HTTP/1.1 200 ")) this.#answered?.resolve();
    else this.#answered?.reject(new Error(this.#received));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}
