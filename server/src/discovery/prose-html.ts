import { createHash } from "node:crypto";
import { escapeHtml } from "@tandem/web/shared/html";
import type { Block, Inline, Page } from "./prose.ts";

/** Looks like the app's pages: a test compares the colours with those in its stylesheet. */
export const style =
  ":root{color-scheme:light dark;--ground:light-dark(#f7f5f0,#161512);--surface:light-dark(#fffefb,#1e1d19);--sunken:light-dark(#efece4,#282720);--line:light-dark(#e3ded2,#35332c);--ink:light-dark(#1e1c17,#f0ede5);--soft:light-dark(#625c4f,#aea898);--accent:light-dark(#0b6656,#5fcab3);--person:light-dark(#a1461a,#f2a679);--agent:light-dark(#4a45b8,#b0adff)}" +
  "body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}" +
  "header,main{max-width:42rem;margin:auto;padding:0 1rem}main{padding-bottom:4rem}" +
  "header{display:flex;flex-wrap:wrap;align-items:center;gap:0 1.25rem;min-height:3.5rem;font-size:.875rem;font-weight:600}" +
  "header a{display:inline-flex;align-items:center;gap:.6rem;min-height:2.75rem;color:var(--soft);text-decoration:none}header a:hover{color:var(--ink)}" +
  "header a:first-child{margin-right:auto;color:var(--ink);font-size:1.25rem;font-weight:800;letter-spacing:-.025em}" +
  "svg{height:1.75rem}circle{fill:var(--person)}rect{fill:var(--agent);fill-opacity:.85}" +
  "h1{margin:1.5rem 0 .75rem;font-size:1.875rem;line-height:1.2;font-weight:800;letter-spacing:-.025em}" +
  "h2{margin:2.5rem 0 1rem;font-size:1.25rem;line-height:1.4}h3{font-size:1rem}" +
  "@media(width>=40rem){h1{margin-top:2.5rem;font-size:2.25rem}h2{font-size:1.5rem}}" +
  "p{margin:.75rem 0}li{margin:.5rem 0}ul{padding-left:1.25rem}main a{color:var(--accent);font-weight:600;text-underline-offset:4px}" +
  "code{padding:0 .25rem;border-radius:.25rem;background:var(--sunken);font:.875em ui-monospace,monospace}" +
  "article{padding:.25rem 0 1rem;border-bottom:1px solid var(--line)}" +
  "article h2{margin-top:1.25rem}article h2+p{color:var(--soft);font-size:.9rem}" +
  "blockquote{margin:.75rem 0;padding-left:1rem;border-left:.2rem solid var(--line);white-space:pre-wrap}" +
  "table{display:block;overflow-x:auto;border:1px solid var(--line);border-radius:1rem;border-collapse:collapse;background:var(--surface);font-size:.875rem;overflow-wrap:normal}" +
  "td,th{padding:.75rem 1rem;text-align:left;vertical-align:top}th{color:var(--soft);font-weight:600}td{border-top:1px solid var(--line)}";

/** The way to the app, with its logo. */
const header =
  '<header><a href="/"><svg viewBox="0 0 44 28" aria-hidden="true"><circle cx="14" cy="14" r="12"/><rect x="19" y="2" width="24" height="24" rx="7"/></svg>Tandem</a>' +
  '<a href="/policy">AI policy</a><a href="/developers">Developers</a></header>';

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
    header,
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
