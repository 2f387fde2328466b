import type { LimitTable } from "@tandem/contract/tiers";
import { limitSettings, readLimits } from "./config/limits.ts";
import { type Environment, readTable, type Setting, type Values } from "./config/setting.ts";
import { settings } from "./config/settings.ts";

export type {
  DatabaseConfig,
  MailConfig,
  ProviderConfig,
  S3Config,
  StreamingConfig,
} from "./config/external-services.ts";
export { ConfigError } from "./config/parsers.ts";
export type { Environment } from "./config/setting.ts";

export interface Config extends Values<typeof settings> {
  limits: LimitTable;
  /** All settings with their values for admins; secrets are masked. */
  shown: { name: string; value: string | null }[];
}

/** Reads the settings from the environment. Throws a `ConfigError` if one is invalid. */
export function readConfig(env: Environment): Config {
  const limits = readLimits(env);
  return { ...readTable(settings, env), limits, shown: allSettings().map((setting) => show(setting, env)) };
}

/** Every setting, limits included. */
export function allSettings(): Setting[] {
  const plain = Object.values(settings).flatMap((entry) => ("read" in entry ? entry.settings : [entry]));
  return [...plain, ...limitSettings()];
}

const MASK = "…";

function show({ name, default: fallback }: Setting, env: Environment): Config["shown"][number] {
  const value = env[name] || fallback;
  return { name, value: value === undefined ? null : maskSecrets(name, value) };
}

/** Masks settings named after a secret, and passwords in URLs: before the host or in the query. */
function maskSecrets(name: string, value: string): string {
  if (/SECRET|PASSWORD|PRIVATE|TOKEN|HEADERS/.test(name)) return MASK;
  return value
    .replace(/(:\/\/[^\s/@:]*:)[^\s/]*(?=@)/g, `$1${MASK}`)
    .replace(/([?&][^=&\s]*(?:password|secret|key|token)[^=&\s]*=)[^&\s,]*/gi, `$1${MASK}`);
}
