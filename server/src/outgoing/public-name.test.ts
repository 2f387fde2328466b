import { expect, test } from "vitest";
import { isPublicName } from "./public-name.ts";

test.each([
  "example.org",
  "hooks.example.com.",
  "local.example.org",
  "mytest.net",
  "127.0.0.1.nip.io",
  "192.0.2.1",
  "[2001:db8::1]",
])("%s can be public", (host) => {
  expect(isPublicName(host)).toBe(true);
});

test.each([
  "server.local",
  "SERVER.LOCAL.",
  "metadata.google.internal",
  "nas.home.arpa",
  "router.lan",
  "api.localhost",
  "hook.test",
  "hook.invalid",
  "hook.example",
  "abc.onion",
  "redis",
  "localhost",
])("%s can't", (host) => {
  expect(isPublicName(host)).toBe(false);
});
