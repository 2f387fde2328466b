/** The layers of the code, what each may import, and the check that every module keeps to it. */

interface Layer<Name extends string> {
  /** Folders (with a slash at the end) and files; the longest match wins. */
  at: string[];
  mayImport: Name[];
  /** The only libraries it may import. Default: whatever its package declares. */
  libraries?: string[];
}

const inServer = (...names: string[]) => names.map((name) => `server/src/${name}`);

/** The server's features from the bottom up, each with the features whose functions it may call. */
const features = {
  shared: [],
  "transparency-log": ["shared"],
  creators: ["shared"],
  accounts: ["shared", "transparency-log", "creators"],
  notifications: ["shared", "accounts"],
  people: ["shared", "creators", "accounts", "notifications"],
  likes: ["shared", "notifications", "people"],
  communities: ["shared", "transparency-log", "accounts", "notifications"],
  versions: ["transparency-log"],
  tags: ["shared", "accounts"],
  posts: [
    "shared",
    "creators",
    "accounts",
    "communities",
    "notifications",
    "people",
    "likes",
    "transparency-log",
    "versions",
    "tags",
  ],
  profile: ["shared", "transparency-log", "accounts", "posts"],
  "account-export": ["accounts"],
  live: ["shared", "transparency-log", "posts"],
  mentions: ["shared", "notifications", "people"],
  comments: [
    "shared",
    "creators",
    "communities",
    "notifications",
    "people",
    "likes",
    "transparency-log",
    "versions",
    "posts",
    "mentions",
    "tags",
    "live",
  ],
  messages: ["shared", "creators", "accounts", "people"],
  "account-deletion": [
    "transparency-log",
    "creators",
    "accounts",
    "communities",
    "notifications",
    "posts",
    "account-export",
    "comments",
    "people",
    "messages",
  ],
  shop: ["shared", "communities", "transparency-log", "versions", "posts"],
  analytics: ["shop"],
  moderation: [
    "shared",
    "accounts",
    "communities",
    "notifications",
    "versions",
    "posts",
    "comments",
    "profile",
  ],
  "community-moderation": ["accounts", "communities", "posts", "moderation"],
  publishing: [
    "shared",
    "accounts",
    "communities",
    "notifications",
    "people",
    "transparency-log",
    "versions",
    "people",
    "posts",
    "profile",
    "mentions",
    "tags",
    "comments",
    "shop",
    "moderation",
  ],
  keys: [
    "accounts",
    "notifications",
    "communities",
    "people",
    "tags",
    "posts",
    "comments",
    "account-deletion",
    "moderation",
    "shop",
    "publishing",
  ],
  oauth: ["accounts", "keys"],
  transparency: ["shared", "transparency-log"],
  "event-stream": ["notifications", "messages"],
  sources: ["shared", "creators", "communities", "transparency-log", "versions", "posts", "tags"],
  "remote-pictures": ["creators", "accounts"],
  "origin-comments": ["shared", "accounts"],
  webhooks: ["accounts", "notifications", "posts"],
  digest: ["shared", "accounts", "notifications", "posts"],
  similar: ["shared", "posts", "moderation"],
  imports: ["shared", "creators", "accounts", "communities", "people", "posts", "transparency-log"],
} as const;

/** The web app's areas, each with the areas whose components it may use. */
const areas = {
  account: [],
  admin: [],
  agents: ["composer"],
  apps: ["agents"],
  communities: [],
  composer: [],
  creators: [],
  feed: [],
  lists: [],
  live: [],
  messages: [],
  notifications: ["composer", "people"],
  people: [],
  post: ["creators"],
  "public-pages": [],
  search: [],
  shop: [],
  signin: [],
  transparency: [],
  verify: [],
  versions: ["post"],
  welcome: ["creators"],
} as const;

type Folders = Readonly<Record<string, readonly string[]>>;

/** A layer for each folder in `root`, named `<name>/<folder>`. All of them may import the layers in `below`, too. */
function layersOf<Name extends string, const Plan extends Folders, const Below extends string>(
  name: Name,
  root: string,
  plan: Plan,
  below: readonly Below[],
) {
  type Key = `${Name}/${keyof Plan & string}`;
  const all = Object.entries(plan).map(([folder, allowed]) => [
    `${name}/${folder}`,
    { at: [`${root}${folder}/`], mayImport: [...below, ...allowed.map((other) => `${name}/${other}`)] },
  ]);
  return Object.fromEntries(all) as Record<Key, Layer<Key | Below>>;
}

const namesOf = <Name extends string, Plan extends Folders>(name: Name, plan: Plan) =>
  Object.keys(plan).map((folder) => `${name}/${folder}` as `${Name}/${keyof Plan & string}`);

const allFeatures = namesOf("features", features);

/** From the bottom up. A module may import from its own layer and from those listed here. */
export const layers = defineLayers({
  contract: { at: ["contract/src/"], mayImport: [], libraries: ["typebox", "fastest-levenshtein"] },
  client: { at: ["client/src/"], mayImport: ["contract"], libraries: [] },
  mcp: { at: ["mcp/src/"], mayImport: ["contract", "client"] },
  publish: { at: ["client/src/publish/"], mayImport: ["contract"] },
  /** The generator of the demo data. */
  seed: { at: ["seed/src/"], mayImport: ["contract"] },
  "web/shared": { at: ["web/src/shared/"], mayImport: ["contract", "client"] },
  "web/i18n": { at: ["web/src/i18n/"], mayImport: ["contract", "web/shared"] },
  "web/data": { at: ["web/src/data/"], mayImport: ["contract", "client", "web/shared", "web/i18n"] },
  "web/router": { at: ["web/src/router/"], mayImport: ["web/shared"] },
  "web/ui": {
    at: ["web/src/ui/"],
    mayImport: ["contract", "client", "web/shared", "web/i18n", "web/data", "web/router"],
  },
  "web/posts": {
    at: ["web/src/posts/"],
    mayImport: ["contract", "client", "web/shared", "web/i18n", "web/data", "web/router", "web/ui"],
  },
  ...layersOf("areas", "web/src/areas/", areas, [
    "contract",
    "client",
    "web/shared",
    "web/i18n",
    "web/data",
    "web/router",
    "web/ui",
    "web/posts",
  ]),
  "web/frame": {
    at: ["web/src/frame/"],
    mayImport: ["contract", "client", "web/shared", "web/i18n", "web/data", "web/router", "web/ui"],
  },
  "web/offline": {
    at: ["web/src/offline/"],
    mayImport: ["contract", "web/shared", "web/i18n", "web/data", "areas/notifications"],
  },
  "web/app": {
    at: ["web/src/app/"],
    mayImport: [
      "contract",
      "client",
      "web/shared",
      "web/i18n",
      "web/data",
      "web/router",
      "web/ui",
      "web/frame",
    ],
  },
  /** The entries: what the browser and the server start with. */
  web: {
    at: ["web/src/browser.tsx", "web/src/server.tsx", "web/src/player.ts", "web/src/vite.d.ts"],
    mayImport: ["contract", "client", "web/shared", "web/i18n", "web/data", "web/router", "web/app"],
  },
  webBuild: { at: ["web/src/build/"], mayImport: ["contract", "web/shared"] },
  tracing: { at: inServer("tracing/"), mayImport: [] },
  storage: { at: inServer("storage/"), mayImport: ["contract", "tracing"] },
  engine: {
    at: inServer("storage/sqlite/", "storage/postgres/", "storage/open.ts", "storage/secret-keys.ts"),
    mayImport: ["contract", "tracing", "storage", "config"],
  },
  outgoing: { at: inServer("outgoing/"), mayImport: ["tracing"] },
  config: { at: inServer("config.ts", "config/"), mayImport: ["contract", "outgoing", "tracing"] },
  http: {
    at: inServer("http/"),
    mayImport: ["contract", "tracing", "storage", "config", "mail", "media", "outgoing"],
  },
  jobs: { at: inServer("jobs/"), mayImport: ["contract", "tracing", "storage", "http"] },
  mail: { at: inServer("mail/"), mayImport: ["config", "tracing"] },
  media: { at: inServer("media/"), mayImport: ["contract", "tracing", "storage", "config"] },
  events: { at: inServer("events/"), mayImport: ["contract", "storage", "config"] },
  origins: { at: inServer("origins/"), mayImport: ["contract", "config", "outgoing"] },
  crawl: {
    at: inServer("crawl/"),
    mayImport: ["contract", "storage", "http", "outgoing", "origins"],
  },
  ...layersOf("features", "server/src/features/", features, [
    "contract",
    "tracing",
    "storage",
    "config",
    "http",
    "mail",
    "media",
    "events",
    "outgoing",
    "origins",
    "crawl",
    "jobs",
  ]),
  handlers: { at: inServer("features/handlers.ts"), mayImport: ["contract", "http", ...allFeatures] },
  discovery: { at: inServer("discovery/"), mayImport: ["contract", "web/shared", "config", "http"] },
  pages: {
    at: inServer("pages/"),
    mayImport: ["contract", "web/shared", "http", ...allFeatures, "handlers", "discovery"],
  },
  oauthHttp: { at: inServer("oauth-http/"), mayImport: ["contract", "web/shared", "http", "features/oauth"] },
  mcpHttp: { at: inServer("mcp-http/"), mayImport: ["contract", "mcp", "http"] },
  streamingHooks: { at: inServer("streaming-hooks/"), mayImport: ["contract", "http", ...allFeatures] },
  app: {
    at: inServer("app.ts", "background.ts", "housekeeping.ts", "log-output.ts"),
    mayImport: [
      "contract",
      "tracing",
      "storage",
      "config",
      "http",
      "jobs",
      "mail",
      "media",
      "events",
      "outgoing",
      ...allFeatures,
      "handlers",
      "discovery",
      "pages",
      "mcpHttp",
      "oauthHttp",
      "streamingHooks",
    ],
  },
  commands: {
    at: inServer(
      "main.ts",
      "node-version.mjs",
      "compile-cache.ts",
      "small-heap.ts",
      "start.ts",
      "serve.ts",
      "workers/",
      "cli/",
    ),
    mayImport: [
      "contract",
      "client",
      "seed",
      "tracing",
      "storage",
      "engine",
      "config",
      "http",
      "jobs",
      "media",
      "events",
      ...allFeatures,
      "app",
    ],
  },
  serverBuild: { at: inServer("build/"), mayImport: ["webBuild", "commands"] },
  testing: {
    at: ["testing/src/"],
    mayImport: [
      "contract",
      "client",
      "webBuild",
      "serverBuild",
      "storage",
      "engine",
      "config",
      "http",
      "jobs",
      "outgoing",
      "origins",
      "discovery",
      ...allFeatures,
      "app",
      "commands",
    ],
  },
  bench: {
    at: ["bench/src/"],
    mayImport: [
      "contract",
      "client",
      "serverBuild",
      "storage",
      "engine",
      "config",
      "media",
      "commands",
      "testing",
    ],
  },
});

/** Libraries that only these layers may import, so that the rest of the code can do without them. */
export const restrictedLibraries: Record<string, LayerName[]> = {
  "better-sqlite3": ["engine", "testing", "bench"],
  pg: ["engine", "testing"],
  "@opentelemetry/api": ["tracing"],
  "@opentelemetry/sdk-trace": ["tracing"],
  fastify: ["http", "discovery", "pages", "mcpHttp", "oauthHttp", "streamingHooks", "app"],
  "light-my-request": ["features/oauth"],
  "oidc-provider": ["features/oauth"],
  feedsmith: ["origins", "pages"],
  "html-to-text": ["origins"],
  htmlparser2: ["origins"],
  cborg: ["media", "origins", "testing"],
  "libheif-js": ["media"],
  mediabunny: ["media"],
  nodemailer: ["mail"],
  otpauth: ["features/accounts", "testing"],
  yauzl: ["origins"],
  yazl: ["features/account-export", "testing"],
  "node:https": ["outgoing", "testing"],
  "http-message-sig": ["http"],
  "structured-headers": ["http"],
  sharp: ["media", "seed", "testing"],
  thumbhash: ["media", "seed", "web/posts"],
};

/** Outgoing requests made without a library. In the server they must go through `outgoing`. */
const outgoingRequest = /(?<![.\w])fetch\(|\bhttps?\.(request|get)\(/;

/** Only these layers may name a database engine in code. */
export const mayNameEngines: LayerName[] = [
  "storage",
  "engine",
  "config",
  "commands",
  "serverBuild",
  "testing",
  "bench",
];

export type LayerName = keyof typeof layers;

function defineLayers<Name extends string>(
  plan: Record<Name, Layer<NoInfer<Name>>>,
): Record<Name, Layer<Name>> {
  return plan;
}

export interface Module {
  /** From the repository's root, with slashes. */
  path: string;
  source: string;
}

/** Every violation in these modules, one sentence each. */
export function findViolations(modules: Module[]): string[] {
  const imports = modules.flatMap(importsOf);
  return [
    ...modules.flatMap(checkModule),
    ...imports.flatMap(checkImport),
    ...findCycles(imports).map((cycle) => `${cycle.join(" → ")} is a cycle`),
  ];
}

function checkModule({ path, source }: Module): string[] {
  const layer = layerOf(path);
  if (!layer) return [`${path} belongs to no layer`];
  const code = source.replace(/\/\*.*?\*\/|\/\/.*?$/gms, "");
  const violations = [];
  if (!mayNameEngines.includes(layer) && /sqlite|postgres/i.test(code))
    violations.push("names a database engine");
  if (path.startsWith("server/") && outgoingRequest.test(code))
    violations.push("makes a request without outgoing");
  return violations.map((violation) => `${path} (${layer}) ${violation}`);
}

export interface Import {
  from: string;
  /** The path of our own module, or the name of a library. */
  to: string;
  /** Whether it is our own module. */
  ours: boolean;
  /** Whether the import disappears when types are stripped. */
  typeOnly: boolean;
}

function checkImport({ from, to, ours }: Import): string[] {
  const layer = layerOf(from);
  if (!layer) return [];
  if (!ours) return mayImportLibrary(layer, to) ? [] : [`${from} (${layer}) imports the library ${to}`];
  const target = layerOf(to);
  if (!target || target === layer || layers[layer].mayImport.includes(target)) return [];
  return [`${from} (${layer}) imports ${to} (${target})`];
}

function mayImportLibrary(layer: LayerName, library: string): boolean {
  const { libraries } = layers[layer];
  return libraries?.includes(library) !== false && restrictedLibraries[library]?.includes(layer) !== false;
}

export function layerOf(path: string): LayerName | null {
  let found: { name: LayerName; length: number } | null = null;
  for (const name of Object.keys(layers) as LayerName[]) {
    for (const at of layers[name].at) {
      const fits = at.endsWith("/") ? path.startsWith(at) : path === at;
      if (fits && at.length > (found?.length ?? 0)) found = { name, length: at.length };
    }
  }
  return found?.name ?? null;
}

/** Matches `import … from "x"`, `export … from "x"` and `import "x"`. */
const STATIC = /^(?:import|export)\s+(type\s)?(?:[\w$*{},\s]*?\sfrom\s+)?"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** What a module imports, as Biome formats it. JSON and CSS don't count. */
export function importsOf({ path, source }: Module): Import[] {
  const found = [...source.matchAll(STATIC)].map(([, type, to]) => ({
    to: String(to),
    typeOnly: type !== undefined,
  }));
  const late = [...source.matchAll(DYNAMIC)].map(([, to]) => ({ to: String(to), typeOnly: false }));
  return [...found, ...late]
    .filter(({ to }) => !/\.(json|css)$/.test(to))
    .map(({ to, typeOnly }) => ({ from: path, typeOnly, ...resolve(path, to) }));
}

function resolve(from: string, to: string): { to: string; ours: boolean } {
  if (to.startsWith(".")) return { to: new URL(to, `file:///${from}`).pathname.slice(1), ours: true };
  const [, layer, file] = /^@tandem\/(\w+)\/(.+)$/.exec(to) ?? [];
  if (layer) return { to: `${layer}/src/${file}.ts`, ours: true };
  return { to: /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to, ours: false };
}

/**
 * Import cycles among modules at run time. Type-only imports don't count: they have no order of execution, and two
 * interfaces that refer to each other need them.
 */
export function findCycles(imports: Import[]): string[][] {
  const runs = imports.filter(({ ours, typeOnly }) => ours && !typeOnly);
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, importers: string[]): void => {
    const at = importers.indexOf(path);
    if (at >= 0) cycles.push([...importers.slice(at), path]);
    if (at >= 0 || done.has(path)) return;
    for (const { to } of runs.filter(({ from }) => from === path)) visit(to, [...importers, path]);
    done.add(path);
  };
  for (const { from } of runs) visit(from, []);
  return cycles;
}
