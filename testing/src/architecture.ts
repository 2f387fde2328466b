/** The rooms of the house, what each may import, and the judge of whether modules keep to it. */

interface Room<Name extends string> {
  /** Folders with a slash at the end, and files; the longest that fits tells where a module lives. */
  at: string[];
  mayImport: Name[];
  /** The only libraries it may import; if left out, whatever its package declares. */
  libraries?: string[];
}

const inServer = (...names: string[]) => names.map((name) => `server/src/${name}`);

/** From the ground up. A module imports from its own room, and from the rooms that are named here. */
export const rooms = house({
  contract: { at: ["contract/src/"], mayImport: [], libraries: ["typebox"] },
  client: { at: ["client/src/"], mayImport: ["contract"], libraries: [] },
  mcp: { at: ["mcp/src/"], mayImport: ["contract", "client"] },
  publish: { at: ["client/src/publish/"], mayImport: ["contract"] },
  web: { at: ["web/src/"], mayImport: ["contract", "client"] },
  webBuild: { at: ["web/src/build/"], mayImport: ["contract"] },
  storage: { at: inServer("storage/"), mayImport: ["contract"] },
  engine: {
    at: inServer("storage/sqlite/", "storage/postgres/", "storage/open.ts"),
    mayImport: ["contract", "storage", "config"],
  },
  outgoing: { at: inServer("outgoing/"), mayImport: [] },
  config: { at: inServer("config.ts", "settings.ts"), mayImport: ["contract", "outgoing"] },
  http: { at: inServer("http/"), mayImport: ["contract", "storage", "config", "mail", "media", "outgoing"] },
  jobs: { at: inServer("jobs/"), mayImport: ["storage", "http"] },
  mail: { at: inServer("mail/"), mayImport: ["config"] },
  media: { at: inServer("media/"), mayImport: ["contract", "storage", "config"] },
  events: { at: inServer("events/"), mayImport: ["contract", "storage", "config"] },
  origins: { at: inServer("origins/"), mayImport: ["contract", "config", "outgoing"] },
  features: {
    at: inServer("features/"),
    mayImport: ["contract", "storage", "config", "http", "mail", "media", "events", "outgoing", "origins"],
  },
  handlers: { at: inServer("features/handlers.ts"), mayImport: ["contract", "http", "features"] },
  discovery: { at: inServer("discovery/"), mayImport: ["contract", "config", "http"] },
  pages: {
    at: inServer("pages/"),
    mayImport: ["contract", "web", "http", "features", "handlers", "discovery"],
  },
  tools: { at: inServer("tools/"), mayImport: ["contract", "mcp", "http"] },
  hooks: { at: inServer("hooks/"), mayImport: ["contract", "http", "features"] },
  app: {
    at: inServer("app.ts", "background.ts", "housekeeping.ts"),
    mayImport: [
      "contract",
      "storage",
      "config",
      "http",
      "jobs",
      "mail",
      "media",
      "events",
      "outgoing",
      "features",
      "handlers",
      "discovery",
      "pages",
      "tools",
      "hooks",
    ],
  },
  commands: {
    at: inServer(
      "main.ts",
      "node-version.mjs",
      "compile-cache.ts",
      "start.ts",
      "serve.ts",
      "workers/",
      "cli/",
    ),
    mayImport: [
      "contract",
      "storage",
      "engine",
      "config",
      "http",
      "jobs",
      "media",
      "events",
      "features",
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
      "features",
      "app",
      "commands",
    ],
  },
  bench: {
    at: ["bench/src/"],
    mayImport: ["contract", "client", "storage", "engine", "config", "media", "commands", "testing"],
  },
});

/** Libraries that some rooms keep to themselves, so that no other depends on what they are. */
export const kept: Record<string, RoomName[]> = {
  "better-sqlite3": ["engine", "bench"],
  pg: ["engine", "testing"],
  "@fastify/static": ["pages"],
  fastify: ["http", "discovery", "pages", "tools", "hooks", "app"],
  feedsmith: ["origins", "pages"],
  "html-to-text": ["origins"],
  htmlparser2: ["origins"],
  "libheif-js": ["media"],
  mediabunny: ["media"],
  nodemailer: ["mail"],
  otpauth: ["features", "testing"],
  yazl: ["features"],
  "node:https": ["outgoing"],
  sharp: ["media", "testing"],
  thumbhash: ["media", "web"],
};

/** How a request leaves a process without a library; no room of the server may ask so, but by the client of `outgoing`. */
const asksOthers = /(?<![.\w])fetch\(|\bhttps?\.(request|get)\(/;

/** Only these may so much as name an engine, but in a comment. */
export const knowEngines: RoomName[] = [
  "storage",
  "engine",
  "config",
  "commands",
  "serverBuild",
  "testing",
  "bench",
];

export type RoomName = keyof typeof rooms;

function house<Name extends string>(plan: Record<Name, Room<NoInfer<Name>>>): Record<Name, Room<Name>> {
  return plan;
}

export interface Module {
  /** From the repository's root, with slashes. */
  path: string;
  source: string;
}

/** What is wrong with these modules, each in a sentence; nothing, if the house stands. */
export function judge(modules: Module[]): string[] {
  const imports = modules.flatMap(importsOf);
  return [
    ...modules.flatMap(judgeModule),
    ...imports.flatMap(judgeImport),
    ...findCircles(imports).map((circle) => `${circle.join(" → ")} is a circle`),
  ];
}

function judgeModule({ path, source }: Module): string[] {
  const room = roomOf(path);
  if (!room) return [`${path} lies in no room`];
  const code = source.replace(/\/\*.*?\*\/|\/\/.*?$/gms, "");
  const faults = [];
  if (!knowEngines.includes(room) && /sqlite|postgres/i.test(code)) faults.push("names an engine");
  if (path.startsWith("server/") && asksOthers.test(code)) faults.push("asks others past outgoing");
  return faults.map((fault) => `${path} (${room}) ${fault}`);
}

export interface Import {
  from: string;
  /** A module of ours by its path, or a library by its name. */
  to: string;
  ours: boolean;
  /** Gone once types are stripped. */
  typeOnly: boolean;
}

function judgeImport({ from, to, ours }: Import): string[] {
  const room = roomOf(from);
  if (!room) return [];
  if (!ours) return mayUse(room, to) ? [] : [`${from} (${room}) imports the library ${to}`];
  const target = roomOf(to);
  if (!target || target === room || rooms[room].mayImport.includes(target)) return [];
  return [`${from} (${room}) imports ${to} (${target})`];
}

function mayUse(room: RoomName, library: string): boolean {
  const { libraries } = rooms[room];
  return libraries?.includes(library) !== false && kept[library]?.includes(room) !== false;
}

export function roomOf(path: string): RoomName | null {
  let found: { name: RoomName; length: number } | null = null;
  for (const name of Object.keys(rooms) as RoomName[]) {
    for (const at of rooms[name].at) {
      const fits = at.endsWith("/") ? path.startsWith(at) : path === at;
      if (fits && at.length > (found?.length ?? 0)) found = { name, length: at.length };
    }
  }
  return found?.name ?? null;
}

/** `import … from "x"`, `export … from "x"`, `import "x"`; the words between hold no quote and no bracket but braces. */
const STATIC = /^(?:import|export)\s+(type\s)?(?:[\w$*{},\s]*?\sfrom\s+)?"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** The modules that a module imports, as this code base writes it: Biome keeps the form. Texts and styles are none. */
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
  const [, room, file] = /^@tandem\/(\w+)\/(.+)$/.exec(to) ?? [];
  if (room) return { to: `${room}/src/${file}.ts`, ours: true };
  return { to: /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to, ours: false };
}

/**
 * The circles among modules that run each other. Types alone may refer to one another both ways: nothing runs
 * in a wrong order for it, and two interfaces that speak of each other have no other way.
 */
export function findCircles(imports: Import[]): string[][] {
  const runs = imports.filter((one) => one.ours && !one.typeOnly);
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, way: string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) circles.push([...way.slice(at), path]);
    if (at >= 0 || done.has(path)) return;
    for (const { to } of runs.filter(({ from }) => from === path)) visit(to, [...way, path]);
    done.add(path);
  };
  for (const { from } of runs) visit(from, []);
  return circles;
}
