import { documents } from "@tandem/contract/documents";
import { operationList } from "@tandem/contract/operations";

/** Reading is open to every crawler but where it would count as a click. */
export function robots(baseUrl: string): string {
  const counted = operationList.filter((op) => op.redirects).map(({ path }) => path.replace(/\{.*/, ""));
  return [
    `# Programs are welcome. They begin best at ${baseUrl}${documents.summary}`,
    "User-agent: *",
    "Allow: /",
    ...counted.map((path) => `Disallow: ${path}`),
    "",
  ].join("\n");
}

/** RFC 9727: the one API that is here, and what describes it. */
export function apiCatalog(baseUrl: string): string {
  const at = (path: string, type: string) => [{ href: `${baseUrl}${path}`, type }];
  return JSON.stringify({
    linkset: [
      {
        anchor: `${baseUrl}${documents.catalog}`,
        item: [{ href: `${baseUrl}/` }],
      },
      {
        anchor: `${baseUrl}/`,
        "service-desc": at(documents.openApi, "application/json"),
        "service-doc": at(documents.reference, "text/markdown"),
        "service-meta": [...at(documents.summary, "text/plain"), ...at(documents.policy, "text/html")],
        status: at("/healthz", "application/json"),
      },
    ],
  });
}

const DAY = 86_400_000;

/** RFC 9116: whom to tell of a weakness. It promises to hold for the better part of a year, counted from today. */
export function securityTxt(baseUrl: string, contact: string, now: number): string {
  const today = now - (now % DAY);
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + 300 * DAY).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${baseUrl}${documents.security}`,
    "",
  ].join("\n");
}
