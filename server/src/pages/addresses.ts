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
    return `${this.#baseUrl}/creators/${platform}/${nameSegment(author)}${this.#end}`;
  }

  /** What the service serves itself is stored relative to its address. */
  absolute(address: string): string {
    return address.startsWith("/") ? this.#baseUrl + address : address;
  }
}

/** A name may end in `.md` itself: its dot is then encoded, so that a bare `.md` always means the form. */
function nameSegment(author: string): string {
  return encodeURIComponent(author).replace(/\.md$/, "%2Emd");
}
