import type { DehydratedState } from "@tanstack/react-query";
import { earlyPresses } from "../shared/early-presses.ts";
import { escapeHtml } from "../shared/html.ts";
import { directionOf, type Locale } from "../shared/locales.ts";
import type { Head, RenderRequest } from "../shared/rendering.ts";
import type { Assets } from "./assets.ts";

interface DocumentParts {
  request: RenderRequest;
  locale: Locale;
  /** For the browser's tab. */
  title: string;
  /** The page's metadata; null for error pages. */
  head: Head | null;
  /** The HTML that React rendered. */
  body: string;
  state: DehydratedState;
  /** Whether there is no such page. The browser doesn't ask for it again then. */
  isMissing: boolean;
  /** Whether some of the data is missing that the browser may get, so that it would show something else than the document. */
  hasFailed: boolean;
  assets: Assets;
}

/** The HTML document: metadata, rendered body, and the query cache's state for hydration. */
export function renderDocument({
  request,
  locale,
  title,
  head,
  body,
  state,
  isMissing,
  hasFailed,
  assets,
}: DocumentParts): string {
  return `${opening({ request, locale, title, assets }, `<script>${earlyPresses}</script>\n`)}
${metaTags(head, request)}
<link rel="apple-touch-icon" href="/icon-180.png">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="search" type="application/opensearchdescription+xml" title="Tandem" href="/opensearch.xml">
${assets.scripts.map((href) => `<link rel="modulepreload" href="${href}">`).join("\n")}
<script type="module" src="${assets.entry}"></script>
${request.links ?? ""}</head>
<body>
<div id="root">${body}</div>
<script type="application/json" id="state" data-base-url="${escapeHtml(request.baseUrl)}"${isMissing ? " data-missing" : ""}${hasFailed ? " data-failed" : ""}>${jsonForScript(state)}</script>
</body>
</html>
`;
}

/** A document without script. */
export function renderPlainDocument({ body, ...parts }: OpeningParts & { body: string }): string {
  return `${opening(parts)}
<meta name="robots" content="noindex">
</head>
<body>
${body}
</body>
</html>
`;
}

type OpeningParts = Pick<DocumentParts, "locale" | "title"> & {
  request: Pick<RenderRequest, "cookies">;
  assets: Pick<Assets, "fonts" | "styles">;
};

/** What every document's head begins with. A script stands before the styles, because it would wait for them. */
function opening({ request, locale, title, assets }: OpeningParts, script = ""): string {
  const theme = request.cookies.tandem_theme;
  const themeAttribute = theme === "light" || theme === "dark" ? ` data-theme="${theme}"` : "";
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}"${themeAttribute}>
<head>
<meta charset="utf-8">
${script}<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
${themeColors(theme)}
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${assets.fonts.map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`).join("\n")}
${assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join("\n")}`;
}

const backgrounds = { light: "#f7f5f0", dark: "#161512" } as const;

/** The colour of the browser's own UI: the reader's theme, or one for each system theme. */
function themeColors(theme: string | undefined): string {
  if (theme === "light" || theme === "dark")
    return `<meta name="theme-color" content="${backgrounds[theme]}">`;
  return Object.entries(backgrounds)
    .map(
      ([name, color]) =>
        `<meta name="theme-color" content="${color}" media="(prefers-color-scheme: ${name})">`,
    )
    .join("\n");
}

function metaTags(head: Head | null, { baseUrl }: RenderRequest): string {
  if (!head) return '<meta name="robots" content="noindex">';
  const absolute = (address: string) => (address.startsWith("/") ? baseUrl + address : address);
  const graph: [string, string | null | undefined][] = [
    ["og:site_name", "Tandem"],
    ["og:type", head.kind ?? "website"],
    ["og:title", head.title],
    ["og:description", head.description],
    ["og:url", head.canonical === undefined ? undefined : absolute(head.canonical)],
    ["og:image", absolute(head.image ?? "/icon-512.png")],
    ["twitter:card", head.image ? "summary_large_image" : "summary"],
  ];
  const lines = [
    head.description ? `<meta name="description" content="${escapeHtml(head.description)}">` : "",
    head.unlisted ? '<meta name="robots" content="noindex">' : "",
    head.canonical === undefined
      ? ""
      : `<link rel="canonical" href="${escapeHtml(absolute(head.canonical))}">`,
    ...graph.map(([name, value]) =>
      value ? `<meta property="${name}" content="${escapeHtml(value)}">` : "",
    ),
    head.data ? `<script type="application/ld+json">${jsonForScript(head.data)}</script>` : "",
  ];
  return lines.filter(Boolean).join("\n");
}

/** Escapes JSON so that it can't end the script element or open an HTML comment. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
