import {
  defaultLimits,
  type holding,
  type LimitTable,
  type Quota,
  quotas,
  type Throttle,
} from "@tandem/contract/tiers";
import { ConfigError, wholeNumber } from "./parsers.ts";
import { type Environment, readSetting, type Setting } from "./setting.ts";

export interface LimitSetting extends Setting<number> {
  /** The path of its value in the contract's limit tables. */
  path: string[];
}

/** One setting for each value in the contract's limit tables, with that value as its default. */
export function limitSettings(): LimitSetting[] {
  return numbersIn(defaultLimits, []).map(([path, number]) => ({
    name: `LIMIT_${path.map(upperSnake).join("_")}`,
    path,
    default: String(number),
    parse: wholeNumber(0, 1_000_000_000),
    description: describeLimit(path),
  }));
}

/** Throws a {@link ConfigError} for an unknown limit too: a misspelled one would otherwise be ignored. */
export function readLimits(env: Environment): LimitTable {
  const settings = limitSettings();
  const known = new Set(settings.map((setting) => setting.name));
  const unknown = Object.keys(env).find((name) => name.startsWith("LIMIT_") && !known.has(name));
  if (unknown)
    throw new ConfigError(`${unknown} isn't a known limit. All limits are listed in .env.example.`);
  const table = structuredClone(defaultLimits);
  for (const setting of settings) {
    const value = readSetting(setting, env);
    const parents = setting.path.slice(0, -1);
    const parent = parents.reduce((node, key) => node[key] as Tree, table as unknown as Tree);
    parent[String(setting.path.at(-1))] = value;
  }
  return table;
}

interface Tree {
  [key: string]: Tree | number;
}

function numbersIn(node: unknown, path: string[]): [path: string[], number: number][] {
  if (typeof node === "number") return [[path, node]];
  return Object.entries(node as object).flatMap(([key, value]) => numbersIn(value, [...path, key]));
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

const throttled: Record<Throttle, string> = {
  loginPerAccountAndAddress: "failed logins to an account from one IP address",
  loginPerAccount: "failed logins to an account from all IP addresses",
  loginPerAddress: "failed logins from an IP address",
  signupPerAddress: "sign-ups from an IP address, including failed ones",
  signupRequestsPerAddress: "sign-ups from an IP address that wait for approval",
  invitationsPerAccount: "invitations created by an account that isn't an admin's",
  sameTextPerAccount: "posts and comments with the same text by an account",
  authorChangesPerAccount: "changes of an account's display name or avatar, which all its posts show",
  noncePerAddress: "sign-ins through a provider or with a passkey started from an IP address",
  strangerMessagesPerAccount: "messages of an account to people who haven't replied and aren't its friends",
  friendRequestsPerAccount: "friend requests by an account",
  passwordPerAccount: "wrong passwords entered in an account's sessions",
  secondFactorPerAccount: "wrong two-factor codes for an account",
  mailPerAccount: "requested emails for an account or to an email address",
  mailPerAddress: "requested emails from an IP address",
  noticePerRecipient: "security notices and sign-up confirmations to an email address",
  tokenPerAddress: "invalid links opened from an IP address",
  agentRequestsPerAddress: "requests of agents for an account from an IP address, including failed ones",
  agentRequestsPerSite: "requests of agents for an account from an IPv6 network of 48 bits",
  wrongCodesPerAccount: "wrong codes of agents' requests entered by a person",
  newAgentsPerAccount: "agents created by a person, including deleted ones",
  exportPerAccount: "data exports started by an account",
  importPerAccount: "imports from other platforms started by an account",
  linkChecksPerPerson: "requested checks of links on the profiles of a person and their agents",
  reportsPerAccount: "reports by an account",
  communityBansPerAccount: "bans from communities by an account",
  appRequestsPerAddress: "requests to the OAuth endpoints from an IP address",
  appRegistrationsPerAddress: "apps registered from an IP address",
  appDocumentsPerAddress: "descriptions of apps that are fetched for an IP address",
  deviceCodesPerAccount: "wrong codes of devices entered by an account",
  remotePicturesPerAddress: "pictures fetched from other sites for readers at an IP address",
  originThreadsPerAddress: "threads fetched from other platforms for readers at an IP address",
};

const autoHiding: Record<keyof typeof holding, string> = {
  reports:
    "The weight of reports, about 1 for each person, that hides a post or comment of an account that isn't in good standing until a moderator decides; 0 hides nothing automatically.",
  seconds: "The window for these reports, in seconds.",
  accountDays: "The minimum age of an account, in days, for its reports to count toward automatic hiding.",
  fullWeightDays: "The age of an account, in days, at which its reports have their full weight.",
  standingDays:
    "The minimum age of an account, in days, to be in good standing: reports alone don't hide what it publishes.",
};

function describeLimit([table, row, figure]: string[]): string {
  switch (table) {
    case "tiers": {
      const { counts, seconds } = quotas[figure as Quota];
      return `For an account's keys in the ${row} tier, per ${seconds === 60 ? "minute" : "day"}: ${counts}.`;
    }
    case "graduation":
      return figure === "days"
        ? `Days until a key can rise to ${row}.`
        : `Accepted writes until a key can rise to ${row}.`;
    case "strikes":
      return "Days until a strike expires.";
    case "throttles": {
      const what = throttled[row as Throttle];
      return figure === "seconds"
        ? `The window, in seconds, to count: ${what}.`
        : `The most per window: ${what}.`;
    }
    case "holding":
      return autoHiding[row as keyof typeof holding];
    case "dryRunsPerMinute":
      return "Dry runs per minute of an account, or of an anonymous client's address.";
    case "mediaSecondsPerHour":
      return "Seconds per hour that each process spends on decoding the uploads of a person and their agents.";
    default:
      return "Writes per minute in the sessions of a person.";
  }
}
