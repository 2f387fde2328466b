import type { OperationName } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import { createFlatClient, type FlatClient, type Methods } from "./client.ts";
import { type ClientOptions, checkBaseUrl } from "./request.ts";

/** An operation whose name contains one of these nouns is also a method of its namespace: `createPost` is `posts.create`. */
const nouns = [
  "Post",
  "Comment",
  "Draft",
  "Notification",
  "Message",
  "Conversation",
  "Creator",
  "Friend",
  "Product",
  "Webhook",
  "Agent",
  "Key",
  "Source",
  "Report",
  "Decision",
  "Appeal",
] as const;
type Noun = (typeof nouns)[number];

/** An operation's name without the noun, singular or plural; never if it doesn't contain the noun. */
type Shortened<Name extends string, N extends string> = Name extends `${infer Verb}${N}s${infer Rest}`
  ? `${Verb}${Rest}`
  : Name extends `${infer Verb}${N}${infer Rest}`
    ? `${Verb}${Rest}`
    : Name extends `${Uncapitalize<N>}${infer Rest}`
      ? Uncapitalize<Rest>
      : never;

/** The methods again, grouped by what they are about: `posts.create` is `createPost`. */
export type Namespaces = {
  [N in Noun as `${Uncapitalize<N>}s`]: {
    [Name in OperationName as Shortened<Name, N>]: Methods[Name];
  };
};

export interface Client extends FlatClient, Namespaces {}

/**
 * Creates a client. Its methods retry where that can help, and throw `TandemError` if the call fails. Throws a `TypeError` if
 * `baseUrl` isn't an address.
 */
export function createClient(options: ClientOptions): Client {
  checkBaseUrl(options);
  const client = createFlatClient(options);
  return { ...client, ...namespacesOf(client) };
}

function namespacesOf(methods: Methods): Namespaces {
  const named = ([namespace, members]: (typeof shortNames)[number]) => [
    namespace,
    Object.fromEntries(members.map(([short, name]) => [short, methods[name]])),
  ];
  return Object.fromEntries(shortNames.map(named));
}

/** Each namespace with its methods, by their names there and in full. Once, because programs may create a client per user. */
const shortNames = nouns.map((noun) => {
  const anywhere = new RegExp(`${noun}s?|^${noun.toLowerCase()}`);
  const members = (Object.keys(routes) as OperationName[])
    .filter((name) => anywhere.test(name))
    .map((name) => [shorten(name.replace(anywhere, "")), name] as const);
  return [`${noun.toLowerCase()}s`, members] as const;
});

function shorten(rest: string): string {
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}
