import type { Platform } from "@tandem/contract/origins";
import type { Form } from "../discovery/send.ts";

/** Paths of pages. Each page has a path with content negotiation, and one that always returns Markdown. */
export class Addresses {
  readonly #baseUrl: string;
  readonly #end: string;

  constructor(baseUrl: string, form: Form) {
    this.#baseUrl = baseUrl;
    this.#end = form === "markdown" ? ".md" : "";
  }

  get feed(): string {
    return this.#end ? `${this.#baseUrl}/index.md` : `${this.#baseUrl}/`;
  }

  post(id: number): string {
    return `${this.#baseUrl}/posts/${id}${this.#end}`;
  }

  quotes(id: number): string {
    return `${this.#baseUrl}/posts/${id}/quotes${this.#end}`;
  }

  postVersions(id: number): string {
    return `${this.#baseUrl}/posts/${id}/versions${this.#end}`;
  }

  commentVersions(id: number): string {
    return `${this.#baseUrl}/comments/${id}/versions${this.#end}`;
  }

  creator(platform: Platform, author: string): string {
    // A name of only dots would be interpreted as a relative path.
    const end = /^\.\.?$/.test(author) ? ".md" : this.#end;
    return `${this.#baseUrl}/creators/${platform}/${segment(author)}${end}`;
  }

  /** Resolves stored paths of our own files against the base URL. */
  absolute(address: string): string {
    return address.startsWith("/") ? this.#baseUrl + address : address;
  }
}

/** Encodes the dot of a name that ends in `.md`, so that an unencoded `.md` always means the Markdown form. */
function segment(author: string): string {
  return encodeURIComponent(author)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/\.md$/i, (end) => `%2E${end.slice(1)}`);
}
