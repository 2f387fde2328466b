import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

test("every response has security headers, with HSTS only under https", async () => {
  for (const [env, hsts] of [
    [{}, null],
    [{ BASE_URL: "https://tandem.example" }, "max-age=31536000"],
  ] as const) {
    await using tandem = await startTandem("sqlite", { env });
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
    const { headers } = await fetch(tandem.baseUrl, { headers: { accept: "text/html" } });
    expect(headers.get("permissions-policy")).toContain("geolocation=()");
  }
});
