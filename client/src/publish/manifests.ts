interface Manifest {
  name: string;
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

interface LockFile extends Manifest {
  /** By folder; the root is "". */
  packages: Record<string, Manifest>;
}

const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

/** The manifests of the repository, by path: that of the root, and one for each workspace. */
export function manifestPaths(rootManifest: string): string[] {
  const { workspaces = [] }: Manifest = JSON.parse(rootManifest);
  return ["package.json", ...workspaces.map((folder) => `${folder}/package.json`)];
}

/** Which version each manifest has, by path. */
export function versionsOf(manifests: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...manifests].map(([path, text]) => [path, (JSON.parse(text) as Manifest).version]));
}

/**
 * The manifests and the lock file with another version. All packages share one version, and those that depend on each
 * other name exactly that version.
 */
export function withVersion(
  manifests: ReadonlyMap<string, string>,
  lockFile: string,
  version: string,
): Map<string, string> {
  const parsed = new Map([...manifests].map(([path, text]) => [path, JSON.parse(text) as Manifest]));
  const names = new Set([...parsed.values()].map(({ name }) => name));
  const lock: LockFile = JSON.parse(lockFile);
  lock.version = version;
  for (const [path, manifest] of parsed) {
    setVersion(manifest, names, version);
    const locked = lock.packages[path.replace(/\/?package\.json$/, "")];
    if (locked) setVersion(locked, names, version);
  }
  const written = [...parsed, ["package-lock.json", lock] as const];
  return new Map(written.map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]));
}

function setVersion(manifest: Manifest, names: ReadonlySet<string>, version: string): void {
  manifest.version = version;
  for (const dependencies of kinds.map((kind) => manifest[kind] ?? {}))
    for (const name of Object.keys(dependencies)) if (names.has(name)) dependencies[name] = version;
}
