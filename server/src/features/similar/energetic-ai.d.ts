/** Its own declarations name packages that it bundles and doesn't install. */
declare module "@energetic-ai/core" {
  /** Resolves once the library can calculate. */
  export function ready(): Promise<void>;
  export type GraphModel = unknown;
}
