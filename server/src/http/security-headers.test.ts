import { freePort } from "@tandem/testing/ports";
import { sendBytes } from "@tandem/testing/raw-http";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

test("every response has security headers, with HSTS only under https", async () => {
  for (const [env, hsts] of [
    [{}, null],
    [{ BASE_URL: "https://tandem.example" }, "max-age=31536000"],
  ] as const) {
    const metrics = `127.0.0.1:${await freePort()}`;
    await using tandem = await startTandem("sqlite", { env: { ...env, METRICS_LISTEN: metrics } });
    for (const [path, status] of [
      ["/api/posts", 200],
      ["/api/auth/me", 401],
      ["/api/nothing", 404],
      ["/api/openapi.json", 200],
      ["/healthz", 200],
      ["/llms.txt", 200],
    ] as const) {
      const { headers, status: received } = await fetch(tandem.baseUrl + path);
      expect([path, received, headers.get("x-content-type-options")]).toEqual([path, status, "nosniff"]);
      expect(headers.get("strict-transport-security")).toBe(hsts);
      if (path.startsWith("/api/") && !path.endsWith("openapi.json"))
        expect([path, headers.get("cross-origin-resource-policy")]).toEqual([path, "same-origin"]);
    }
    // Responses that the framework doesn't send: metrics on their own address, and errors about malformed HTTP.
    for (const path of ["/metrics", "/"]) {
      const { headers } = await fetch(`http://${metrics}${path}`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("strict-transport-security")).toBe(hsts);
    }
    const malformed = await sendBytes(tandem.baseUrl, "hello\r\n\r\n");
    expect(malformed).toContain("\r\nx-content-type-options: nosniff\r\n");
    expect(malformed).toContain("\r\ncross-origin-resource-policy: same-origin\r\n");
    expect(malformed.includes(`\r\nstrict-transport-security: ${hsts}\r\n`)).toBe(hsts !== null);
    const { headers } = await fetch(tandem.baseUrl, { headers: { accept: "text/html" } });
    expect(headers.get("permissions-policy")).toContain("geolocation=()");
  }
});
