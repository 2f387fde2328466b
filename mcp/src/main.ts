#!/usr/bin/env node
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { connect } from "./connect.ts";
import { createTandemServer } from "./server.ts";

/** Tandem's tools over standard input and output, for a client that starts this as its child. */
try {
  const connection = await connect(process.env);
  serveStdio(() => createTandemServer(connection), { onerror: ({ message }) => console.error(message) });
} catch (error) {
  // Standard output belongs to the protocol; clients show this one to whoever set them up.
  console.error(`tandem-mcp: ${(error as Error).message}`);
  process.exitCode = 1;
}
