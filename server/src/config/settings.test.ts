import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allSettings, ConfigError, type Environment, readConfig } from "../config.ts";
import { limitSettings } from "./limits.ts";
import type { Setting } from "./setting.ts";

const limits = limitSettings();
const plain = allSettings().slice(0, -limits.length);

describe("the settings", () => {
  test("are exactly those that readConfig reads", () => {
    const read = new Set<string>();
    const env = new Proxy<Environment>({}, { get: (_, name) => void read.add(String(name)) });
    readConfig(env);
    expect([...read].sort()).toEqual([...plain, ...limits].map(({ name }) => name).sort());
  });

  /** Regenerate it with `npx vitest run server/src/config/settings.test.ts --update`. */
  test("are all documented in .env.example", async () => {
    await expect(envExample()).toMatchFileSnapshot("../../../.env.example");
  });

  test("are all documented in docs/operation.md", () => {
    const document = readFileSync(new URL("../../../docs/operation.md", import.meta.url), "utf8");
    for (const row of plain.map(tableRow)) expect(document).toContain(row);
  });

  test("change the values that they name", () => {
    const env = Object.fromEntries(limits.map(({ name }, i) => [name, String(i + 1)]));
    const read = readConfig({ ...env, PORT: "80", HOST: "::", LOG_LEVEL: "warn", TRUST_PROXY: "2" });
    expect(read).toMatchObject({ port: 80, host: "::", logLevel: "warn", trustProxy: 2 });
    for (const [i, { path }] of limits.entries()) expect(read.limits).toHaveProperty(path, i + 1);
  });

  test("count as unset if they are empty", () => {
    const empty = Object.fromEntries([...plain, ...limits].map(({ name }) => [name, ""]));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });
});

describe("an invalid setting", () => {
  test.each([
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "3000 "],
    ["WORKERS", "0"],
    ["TRUST_PROXY", "yes"],
    ["BASE_URL", "tandem.example"],
    ["BASE_URL", "https://tandem.example/?a=b"],
    ["BASE_URL", "https://tandem.example/app"],
    ["LIVE_URL", "rtmp://tandem.example"],
    ["LIVE_INGEST_URL", "https://tandem.example/live"],
    ["LIVE_INGEST_URL", "rtmp://"],
    ["LIVE_INGEST_URL", "rtmp://tandem.example/live?key=x"],
    ["GOOGLE_ISSUER", "accounts.google.com"],
    ["OUTGOING_ALLOW", "10.1.0.0/16, localhost"],
    ["OUTGOING_ALLOW", "10.1.0.1"],
    ["LOG_LEVEL", "loud"],
    ["METRICS_TOKEN", "short"],
    ["METRICS_TOKEN", "sixteen and spaces"],
    ["METRICS_LISTEN", "9464"],
    ["METRICS_LISTEN", "127.0.0.1:99999"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "authorization"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%0d%0ab"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.1"],
    ["SECURITY_CONTACT", "the porter"],
    ["SECURITY_CONTACT", "http://tandem.example"],
    ["SECURITY_CONTACT", "mailto:a@b\nExpires: never"],
    ["VAPID_PRIVATE_KEY", "short"],
    // Zero, which isn't a valid key, and a number beyond the curve's order.
    ["VAPID_PRIVATE_KEY", "A".repeat(43)],
    ["VAPID_PRIVATE_KEY", `${"_".repeat(42)}8`],
    ["LIMIT_TIERS_PROBATION_POSTS", "1.5"],
    ["LIMIT_TIERS_PROBATION_POST", "5"],
    ["DATABASE_URL", "mysql://localhost/tandem"],
    ["DATABASE_PREPARES", "yes"],
    ["MAIL_URL", "mail.example.org"],
    ["MAIL_URL", "https://mail.example.org"],
    ["MAIL_URL", "smtp://mail.example.org"],
    ["MAIL_FROM", "the porter"],
    ["MAIL_FROM", "Tandem <post@example.org>\nBcc: eve@example.org"],
    ["MAIL_FROM", "post@example.org, eve@example.org"],
  ])("%s=%s is rejected by name", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });
});

test("errors about MAIL_URL don't contain its password", () => {
  const env = { MAIL_URL: "http://me:hunter2@mail.example.org", MAIL_FROM: "post@example.org" };
  expect(() => readConfig(env)).toThrow(/^(?!.*hunter2)/);
  expect(readConfig({ ...env, MAIL_URL: "off" }).mail).toBe(false);
  expect(readConfig({ ...env, MAIL_URL: "smtps://mail.example.org" }).mail).toEqual({
    url: "smtps://mail.example.org",
    from: "post@example.org",
  });
});

test("a streaming server needs both settings, and errors don't contain its secret", () => {
  const [LIVE_INGEST_URL, LIVE_HOOK_SECRET] = ["rtmps://tandem.example:1936/live/", "0123456789abcdef"];
  expect(readConfig({ LIVE_INGEST_URL, LIVE_HOOK_SECRET }).streaming).toEqual({
    ingestUrl: "rtmps://tandem.example:1936/live",
    hookSecret: LIVE_HOOK_SECRET,
  });
  expect(() => readConfig({ LIVE_INGEST_URL })).toThrow("LIVE_HOOK_SECRET");
  expect(() => readConfig({ LIVE_HOOK_SECRET })).toThrow("LIVE_INGEST_URL");
  for (const short of ["0123456789abcde", "0123456789abcde?"]) {
    const read = () => readConfig({ LIVE_INGEST_URL, LIVE_HOOK_SECRET: short });
    expect(read).toThrow("LIVE_HOOK_SECRET must be");
    expect(read).not.toThrow(short);
  }
});

function envExample(): string {
  const lines = ({ name, default: fallback, description }: Setting) =>
    `# ${description}\n# ${name}=${fallback ?? ""}\n`;
  return [
    "# All settings of Tandem, with their defaults. Copy this file to .env and uncomment what you change.",
    "# Environment variables take precedence over the file.",
    "",
    ...plain.map(lines),
    "# Limits. Each is a whole number.",
    "",
    ...limits.map(lines),
  ].join("\n");
}

function tableRow({ name, default: fallback, description }: Setting): string {
  return `| \`${name}\` | ${fallback === undefined ? "" : `\`${fallback}\``} | ${description} |`;
}
