declare module "commonmark-spec" {
  /** The examples of CommonMark's specification, each with the page that it makes. `→` is a tab. */
  export const tests: readonly { number: number; section: string; markdown: string; html: string }[];
}
