import type { LimitTable } from "@tandem/contract/tiers";

export function openApi(baseUrl: string, limits: LimitTable): object {
  return {
    openapi: "3.1.0",
    info: { title: "Tandem", version: "1.0.0" },
    servers: [{ url: baseUrl }],
    paths: {},
    limits,
  };
}
