import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/*
 * The baseline: a plain node:http server that responds to every request with the bytes it read from standard input. It prints
 * its address.
 */

const body = Buffer.from(await text(process.stdin));
const headers = { "content-type": "application/json; charset=utf-8", "content-length": body.length };

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address) console.log(`serves http://127.0.0.1:${address.port}`);
});
