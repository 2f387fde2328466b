import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/*
 * The limit of the machine: a bare node:http server that answers everything with the same bytes. It reads them
 * from its standard input and then says where it listens.
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
