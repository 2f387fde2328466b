interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

/** What the page for times without a network is made of, by the sources that lead to all of it. */
const sources =
  /^src\/(browser\.tsx|i18n\/messages\.\w+\.json|areas\/public-pages\/(pages\.tsx|messages\.\w+\.json))$/;

/** The addresses of the files that the app's frame can't do without, in every language: kept for times without a network. */
export function shellOf(manifest: Record<string, Chunk>): string[] {
  const found = new Set<Chunk>();
  const follow = (source: string) => {
    const chunk = manifest[source];
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    chunk.imports?.forEach(follow);
  };
  for (const source of Object.keys(manifest)) if (sources.test(source)) follow(source);
  const files = [...found].flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets.filter((asset) => /-latin-wght-normal.*\.woff2$/.test(asset)),
  ]);
  return [...new Set(files)].map((file) => `/${file}`).sort();
}
