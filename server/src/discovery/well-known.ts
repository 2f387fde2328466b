import { documents, OPEN_SEARCH_PATH, SITEMAP_PATH } from "@tandem/contract/documents";
import { DAY } from "@tandem/contract/durations";
import { operationList } from "@tandem/contract/operations";

/** Allows crawlers everything except the redirects that count clicks. */
export function robots(baseUrl: string): string {
  const counted = operationList.filter((op) => op.redirects).map(({ path }) => path.replace(/\{.*/, ""));
  return [
    `# Bots are welcome. Start at ${baseUrl}${documents.summary}`,
    "User-agent: *",
    "Allow: /",
    ...counted.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${baseUrl}${SITEMAP_PATH}`,
    "",
  ].join("\n");
}

/** OpenSearch 1.1: browsers offer the search in their address bar. */
export function openSearch(baseUrl: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Tandem</ShortName>
<Description>Search posts on Tandem</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="48" height="48" type="image/x-icon">${baseUrl}/favicon.ico</Image>
<Url type="text/html" template="${baseUrl}/search?q={searchTerms}"/>
<Url type="application/rss+xml" template="${baseUrl}/feed.rss?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${baseUrl}${OPEN_SEARCH_PATH}"/>
</OpenSearchDescription>
`;
}

/** RFC 9727: the service's API and the documents that describe it. */
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
        "service-meta": [
          ...at(documents.summary, "text/plain"),
          ...at(documents.skill, "text/markdown"),
          ...at(documents.policy, "text/html"),
          ...at(documents.agentCard, "application/json"),
        ],
        status: at("/healthz", "application/json"),
      },
    ],
  });
}

/** RFC 9116: where to report vulnerabilities. Expires 300 days from today. */
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
