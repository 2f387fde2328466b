/** What a page says of itself in the head of its document. */
export interface Head {
  title: string;
  description?: string;
  /** Where it is, without what only narrows it down; relative to the service's address. */
  canonical?: string;
  /** A picture for those who link to it, relative or absolute. */
  image?: string | null;
  /** As Open Graph names kinds of pages. */
  kind?: "website" | "article" | "profile" | "video.other";
  /** What machines read of it, in schema.org's words. */
  data?: object;
  /** Left out of what search engines keep. */
  unlisted?: boolean;
}

export interface RenderRequest {
  /** Path and query. */
  path: string;
  baseUrl: string;
  /** Asks the service itself, as the reader. */
  fetch: typeof fetch;
  /** Whether the reader sent a credential. */
  hasCredential: boolean;
  acceptLanguage: string;
  cookies: Readonly<Record<string, string | undefined>>;
  /** More links of the document's head, as HTML that is safe. */
  links?: string;
}

export interface Rendered {
  status: number;
  html: string;
  /** Set where the page is elsewhere. */
  location?: string;
}

/** What the built app gives the service. Throws nothing but faults of our own. */
export interface Renderer {
  render(asked: RenderRequest): Promise<Rendered>;
}

/** What a browser's tab shows. */
export function documentTitle({ title }: Head): string {
  return title === "Tandem" ? title : `${title} · Tandem`;
}
