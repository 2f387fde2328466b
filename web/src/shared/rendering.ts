/** The metadata in a document's head. */
export interface Head {
  title: string;
  description?: string;
  /** The canonical URL, without filters; relative to the base URL. */
  canonical?: string;
  /** The picture for link previews, relative or absolute. */
  image?: string | null;
  /** The Open Graph type. */
  kind?: "website" | "article" | "profile" | "video.other";
  /** Structured data in schema.org's vocabulary (JSON-LD). */
  data?: object;
  /** Whether search engines should leave the page out (`noindex`). */
  unlisted?: boolean;
}

export interface RenderRequest {
  /** Path and query. */
  path: string;
  baseUrl: string;
  /** Calls the API with the reader's credentials. */
  fetch: typeof fetch;
  /** Whether the request has a session cookie. */
  hasCredential: boolean;
  acceptLanguage: string;
  cookies: Readonly<Record<string, string | undefined>>;
  /** More elements for the document's head, as trusted HTML. */
  links?: string;
}

export interface Rendered {
  status: number;
  html: string;
  /** Set for redirects. */
  location?: string;
}

/** What a reader's language and theme follow from. */
export type Reader = Pick<RenderRequest, "acceptLanguage" | "cookies">;

/** The built app, as the server uses it. It throws only on internal errors. */
export interface Renderer {
  render(request: RenderRequest): Promise<Rendered>;
  /** Renders the page for readers whose request is refused because the service is busy. It depends on their language and theme only. */
  renderBusy(request: Reader): Promise<string>;
  /** The language in which it would be rendered. */
  localeOf(request: Reader): string;
}
