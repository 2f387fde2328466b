const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/curl\//, "curl"],
];

const systems: [RegExp, string][] = [
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];

const firstMatch = (known: [RegExp, string][], text: string) =>
  known.find(([pattern]) => pattern.test(text))?.[1];

/**
 * A readable name for a user agent: `{ program: "Firefox", system: "Linux" }`. Other programs keep their own
 * name.
 */
export function deviceOf(agent: string): { program: string; system: string | null } {
  const program = firstMatch(browsers, agent);
  return { program: program ?? (agent.slice(0, 60) || "?"), system: firstMatch(systems, agent) ?? null };
}

export const isHandheld = (agent: string): boolean => /iPhone|iPod|iPad|Android|Mobile/.test(agent);
