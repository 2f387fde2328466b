import { hostShown } from "@tandem/contract/markdown/host-shown";
import type { Alignment, Block, Found, Inline, Labelled } from "@tandem/contract/markdown/tree";
import { escapeHtml } from "@tandem/web/shared/html";

/** A Markdown text as HTML for other programs, such as feed readers. `addressOf` says where mentions lead. */
export function htmlOfBlocks(blocks: readonly Block[], addressOf: (username: string) => string): string {
  return new HtmlWriter(addressOf).blocks(blocks, true);
}

class HtmlWriter {
  readonly #addressOf: (username: string) => string;

  constructor(addressOf: (username: string) => string) {
    this.#addressOf = addressOf;
  }

  /** In a list that isn't loose, paragraphs aren't elements of their own. */
  blocks(blocks: readonly Block[], isLoose: boolean): string {
    return blocks.map((block) => this.#block(block, isLoose)).join("\n");
  }

  #block(block: Block, isLoose: boolean): string {
    switch (block.kind) {
      case "paragraph":
        return isLoose ? `<p>${this.#inlines(block.children)}</p>` : this.#inlines(block.children);
      case "heading":
        return `<h${block.level}>${this.#inlines(block.children)}</h${block.level}>`;
      case "quote":
        return `<blockquote>\n${this.blocks(block.children, true)}\n</blockquote>`;
      case "list":
        return this.#list(block);
      case "code":
        return `<pre><code>${escapeHtml(block.text)}\n</code></pre>`;
      case "table":
        return this.#table(block);
      case "rule":
        return "<hr>";
    }
  }

  #list({ start, isLoose, items }: Extract<Block, { kind: "list" }>): string {
    const name = start === null ? "ul" : "ol";
    const from = start === null || start === 1 ? "" : ` start="${start}"`;
    const rows = items.map((item) => `<li>${this.blocks(item, isLoose)}</li>`);
    return `<${name}${from}>\n${rows.join("\n")}\n</${name}>`;
  }

  #table({ align, rows: [head = [], ...rest] }: Extract<Block, { kind: "table" }>): string {
    const body = rest.map((row) => this.#row("td", row, align)).join("\n");
    return `<table>\n<thead>\n${this.#row("th", head, align)}\n</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
  }

  #row(name: "td" | "th", cells: readonly Inline[][], align: readonly Alignment[]): string {
    const written = cells.map((cell, i) => {
      const side = align[i] ? ` align="${align[i]}"` : "";
      return `<${name}${side}>${this.#inlines(cell)}</${name}>`;
    });
    return `<tr>${written.join("")}</tr>`;
  }

  #inlines(children: readonly Inline[]): string {
    return children.map((child) => this.#inline(child)).join("");
  }

  #inline(inline: Inline): string {
    if (typeof inline === "string") return escapeHtml(inline).replaceAll("\n", "<br>");
    switch (inline.kind) {
      case "strong":
        return `<strong>${this.#inlines(inline.children)}</strong>`;
      case "emphasis":
        return `<em>${this.#inlines(inline.children)}</em>`;
      case "deleted":
        return `<del>${this.#inlines(inline.children)}</del>`;
      case "code":
        return `<code>${escapeHtml(inline.text)}</code>`;
      case "labelled":
        return link(inline.href, this.#inlines(inline.children), inline.title) + shownHost(inline);
      default:
        return this.#found(inline);
    }
  }

  #found({ kind, text }: Found): string {
    if (kind === "link") return link(text, escapeHtml(text));
    if (kind === "tag") return escapeHtml(text);
    return `<a href="${escapeHtml(this.#addressOf(text.slice(1)))}">${escapeHtml(text)}</a>`;
  }
}

function shownHost(link: Labelled): string {
  const host = hostShown(link);
  return host === null ? "" : ` (${escapeHtml(host)})`;
}

function link(href: string, content: string, title = ""): string {
  const named = title === "" ? "" : ` title="${escapeHtml(title)}"`;
  return `<a href="${escapeHtml(href)}"${named} rel="nofollow ugc">${content}</a>`;
}
