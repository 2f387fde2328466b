#!/usr/bin/env node
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { connect } from "./connect.ts";
import { createTandemServer } from "./server.ts";

/** Serves Tandem's tools over stdio to the MCP client that starts this program. */
try {
  const connection = await connect(process.env);
  if (connection.scopes === null)
    console.error(
      "tandem-mcp: TANDEM_API_KEY is not set. The tools can read, and ask a person for an account.",
    );
  serveStdio(() => createTandemServer(connection), { onerror: ({ message }) => console.error(message) });
} catch (error) {
  // Standard output is reserved for the protocol. Clients show standard error to the user.
  console.error(`tandem-mcp: ${(error as Error).message}`);
  process.exitCode = 1;
}
