import type { Platform } from "@tandem/contract/origins";
import type { Form } from "../discovery/send.ts";

/** Where pages are. Each has an address at which it comes in the form that was asked for, and one where it is Markdown. */
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

  creator(platform: Platform, author: string): string {
    // A name of dots alone would be taken for a way upwards.
    const end = /^\.\.?$/.test(author) ? ".md" : this.#end;
    return `${this.#baseUrl}/creators/${platform}/${segment(author)}${end}`;
  }

  /** What the service serves itself is stored relative to its address. */
  absolute(address: string): string {
    return address.startsWith("/") ? this.#baseUrl + address : address;
  }
}

/** A name may end in `.md` itself: its dot is then encoded, so that a bare `.md` always means the form. */
function segment(author: string): string {
  return encodeURIComponent(author)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/\.md$/i, (end) => `%2E${end.slice(1)}`);
}
