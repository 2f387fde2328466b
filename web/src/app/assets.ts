import { defaultLocale, type Locale } from "../shared/locales.ts";
import type { Area } from "../shared/paths.ts";

/** Vite's manifest: the files that it built, by source path. */
export type AssetManifest = Record<
  string,
  { file: string; css?: string[]; assets?: string[]; imports?: string[] }
>;

/** URLs of what a page needs before it can hydrate. */
export interface Assets {
  entry: string;
  scripts: string[];
  styles: string[];
  fonts: string[];
}

const ENTRY = "src/browser.tsx";

/** Lists every file up front, so that the browser doesn't discover them one import at a time. */
export function assetsOf(
  manifest: AssetManifest,
  area: Area | undefined,
  locale: Locale = defaultLocale,
): Assets {
  const sources = new Set<string>();
  const follow = (source: string) => {
    const chunk = manifest[source];
    if (!chunk || sources.has(source)) return;
    sources.add(source);
    chunk.imports?.forEach(follow);
  };
  follow(ENTRY);
  follow(`src/i18n/messages.${locale}.json`);
  if (area) for (const file of ["pages.tsx", `messages.${locale}.json`]) follow(`src/areas/${area}/${file}`);
  const chunks = [...sources].flatMap((source) => manifest[source] ?? []);
  const entry = manifest[ENTRY];
  return {
    entry: `/${entry?.file}`,
    scripts: chunks.filter((chunk) => chunk !== entry).map(({ file }) => `/${file}`),
    styles: chunks.flatMap(({ css = [] }) => css.map((file) => `/${file}`)),
    fonts: (entry?.assets ?? [])
      .filter((file) => /-latin-wght-normal.*\.woff2$/.test(file))
      .map((file) => `/${file}`),
  };
}
