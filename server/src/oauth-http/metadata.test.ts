import { startTandem } from "@tandem/testing/tandem";
import { inject } from "light-my-request";
import { expect, test } from "vitest";
import { createProvider } from "../features/oauth/provider.ts";

test("the metadata says what the protocol's library does", async () => {
  await using tandem = await startTandem();
  const listener = createProvider(tandem.services).callback();
  const described = (await inject(listener, "/.well-known/openid-configuration")).json();
  const found = await fetch(`${tandem.baseUrl}/.well-known/oauth-authorization-server`);
  const { response_modes_supported, scopes_supported, ...own } = await found.json();
  // The library's would include what is refused before it gets there, and what concerns OpenID Connect.
  expect(response_modes_supported).toEqual(["query"]);
  expect(described.response_modes_supported).toContain("query");
  expect(scopes_supported).toContain("posts:write");
  const both = Object.keys(own).filter((name) => name in described);
  expect(both).toEqual(expect.arrayContaining(["token_endpoint", "grant_types_supported"]));
  const plain = (value: unknown) =>
    Array.isArray(value) ? value.toSorted() : String(value).replace(/^https?:\/\/[^/]+/, "");
  for (const name of both) expect([name, plain(own[name])]).toEqual([name, plain(described[name])]);
  // RFC 8414: required beside `private_key_jwt`.
  expect(own.revocation_endpoint_auth_signing_alg_values_supported).toEqual(
    own.token_endpoint_auth_signing_alg_values_supported,
  );
});
