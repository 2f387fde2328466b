import { createHash } from "node:crypto";
import { escapeHtml } from "@tandem/web/shared/html";
import type { Block, Inline, Page } from "./prose.ts";

const style =
  ":root{color-scheme:light dark;--soft:color-mix(in srgb,CanvasText 65%,Canvas);--line:color-mix(in srgb,CanvasText 18%,Canvas)}" +
  "body{max-width:42rem;margin:auto;padding:1rem 1rem 4rem;font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}" +
  "h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.2rem;line-height:1.35;margin:2rem 0 .4rem}h3{font-size:1rem}" +
  "p{margin:.5rem 0}article{padding:.25rem 0 1rem;border-bottom:1px solid var(--line)}" +
  "article h2{margin-top:1.25rem}article h2+p{color:var(--soft);font-size:.9rem}" +
  "blockquote{margin:.75rem 0;padding-left:1rem;border-left:.2rem solid var(--line);white-space:pre-wrap}" +
  "table{display:block;overflow-x:auto;border-collapse:collapse;overflow-wrap:normal}" +
  "td,th{padding:.3rem .6rem;border:1px solid var(--line);text-align:left;vertical-align:top}";

/** Defense in depth against injected markup: nothing runs, loads, frames or is framed. */
export const pageSecurityHeaders = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};

/** Renders a page for people, with a link to its Markdown form. */
export function toHtml({ title, blocks }: Page, markdownAddress: string): string {
  return [
    `<!doctype html>`,
    `<html lang="en">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width">`,
    `<title>${escapeHtml(title)}</title>`,
    `<link rel="alternate" type="text/markdown" href="${escapeHtml(markdownAddress)}">`,
    `<style>${style}</style>`,
    `</head>`,
    `<body>`,
    `<main>`,
    ...blocks.map(renderBlock),
    `</main>`,
    `</body>`,
    `</html>`,
    ``,
  ].join("\n");
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${renderInlines(block.text)}</h${block.level}>`;
    case "paragraph":
      return `<p>${renderInlines(block.text)}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${renderInlines(item)}</li>`).join("")}</ul>`;
    case "table":
      return `<table><thead>${row("th", block.head)}</thead><tbody>${block.rows.map((cells) => row("td", cells)).join("")}</tbody></table>`;
    case "quote":
      return `<blockquote dir="auto">${escapeHtml(block.text)}</blockquote>`;
    case "article":
      return `<article>\n${block.blocks.map(renderBlock).join("\n")}\n</article>`;
  }
}

function row(cell: "th" | "td", cells: string[]): string {
  return `<tr>${cells.map((text) => `<${cell}>${ownText(text)}</${cell}>`).join("")}</tr>`;
}

function renderInlines(text: Inline[]): string {
  return text.map(renderInline).join("");
}

function renderInline(part: Inline): string {
  if (typeof part === "string") return ownText(part);
  if ("foreign" in part) return `<bdi>${escapeHtml(part.foreign)}</bdi>`;
  if ("foreignAddress" in part) return address(part.foreignAddress);
  return `<a href="${escapeHtml(part.href)}">${ownText(part.text)}</a>`;
}

/** Links only to http and https URLs, whatever was stored. */
function address(url: string): string {
  const shown = `<bdi>${escapeHtml(url)}</bdi>`;
  if (!/^https?:\/\//i.test(url)) return shown;
  return `<a href="${escapeHtml(url)}" rel="nofollow ugc noopener noreferrer">${shown}</a>`;
}

function ownText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
