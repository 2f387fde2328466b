import { connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy whose connections can be cut, or stalled as by a machine that lost power. */
export interface TcpProxy extends AsyncDisposable {
  /** The server's URL by way of the proxy. */
  readonly url: string;
  /** Ends all connections and refuses new ones. */
  disconnect(): Promise<void>;
  /** Accepts connections again, at the same address. */
  reconnect(): Promise<void>;
  /** Stops forwarding on current connections, which stay open. New ones aren't affected. */
  stall(): void;
}

/** Starts a proxy to the server of this URL. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((inward) => {
    const outward = connect(Number(port), hostname);
    for (const socket of [inward, outward]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    inward.pipe(outward).pipe(inward);
  });
  const listen = (at: number) => new Promise<void>((done) => server.listen(at, "127.0.0.1", done));
  await listen(0);
  const address = server.address();
  const at = typeof address === "object" && address ? address.port : 0;
  const url = new URL(target);
  url.port = String(at);
  const disconnect = async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const stall = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  return { url: url.href, disconnect, reconnect: () => listen(at), stall, [Symbol.asyncDispose]: disconnect };
}
