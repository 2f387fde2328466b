interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

/** The sources from which all files of the offline page can be reached. */
const sources =
  /^src\/(browser\.tsx|(i18n|posts)\/messages\.\w+\.json|areas\/public-pages\/((pages|last-feed)\.tsx|messages\.\w+\.json))$/;

/** URLs of the files that the offline page needs, in every language. The service worker precaches them. */
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
