#!/usr/bin/env node
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { connect } from "./connect.ts";
import { createTandemServer } from "./server.ts";

/** Serves Tandem's tools over stdio to the MCP client that starts this program. */
try {
  const connection = await connect(process.env);
  serveStdio(() => createTandemServer(connection), { onerror: ({ message }) => console.error(message) });
} catch (error) {
  // Standard output is reserved for the protocol. Clients show standard error to the user.
  console.error(`tandem-mcp: ${(error as Error).message}`);
  process.exitCode = 1;
}
