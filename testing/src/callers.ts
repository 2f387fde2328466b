import { type Client, createClient } from "@tandem/client/create-client";
import { type CallOptions, type ClientOptions, send } from "@tandem/client/request";
import { TandemError } from "@tandem/client/tandem-error";
import type { OperationName } from "@tandem/contract/operations";
import type { Agent, User } from "@tandem/contract/resources";
import { routes } from "@tandem/contract/routes";
import { type Scope, scopeNames } from "@tandem/contract/scopes";
import { quickFetch } from "./quick-fetch.ts";

/** A typed client that can also call operations by name, and knows its credential. */
export interface Caller extends Client {
  readonly options: ClientOptions;
  /** Sends any input, valid or not, and returns the raw response. */
  call(name: OperationName, input?: object, options?: CallOptions): Promise<CallResponse>;
}

export interface CallResponse {
  status: number;
  headers: Headers;
  // Untyped, because tests of invalid input inspect responses that no type describes.
  body: Record<string, unknown>;
}

export interface Person extends Caller {
  readonly user: User;
  readonly password: string;
}

export interface AgentCaller extends Caller {
  readonly agent: Agent;
  readonly keyId: number;
}

let serial = 0;

/** Returns `stem` with a number that is unique in this process. */
export function uniqueName(stem: string): string {
  serial += 1;
  return `${stem}${serial}`;
}

/** Creates callers of every kind. */
export class Callers {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Without a credential. */
  anonymous(): Caller {
    return this.with({});
  }

  /** With these headers as credential. */
  with(headers: Record<string, string>): Caller {
    return caller({ baseUrl: this.#baseUrl, headers });
  }

  /** With this API key. */
  bearer(key: string): Caller {
    return caller({ baseUrl: this.#baseUrl, key });
  }

  /** A new person with a session. */
  async human(username = uniqueName("person")): Promise<Person> {
    const password = "correct horse";
    const response = await this.anonymous().call("signUp", {
      username,
      email: `${username}@example.org`,
      password,
    });
    if (response.status !== 200) throw new Error(JSON.stringify(response.body));
    const user = (response.body as { user: User }).user;
    return { ...this.with({ cookie: cookieOf(response) }), user, password };
  }

  /** A new personal key with these scopes, of `owner` or of a new person. */
  async key(scopes: readonly Scope[] = scopeNames, owner?: Caller): Promise<Caller & { keyId: number }> {
    const person = owner ?? (await this.human());
    const { key, secret } = await proven(person, () => person.mintKey({ scopes: [...scopes] }));
    return { ...this.bearer(String(secret)), keyId: key.id };
  }

  /** A new agent that calls with its key, of `operator` or of a new person. */
  async agent(operator?: Caller, username = uniqueName("agent")): Promise<AgentCaller> {
    const person = operator ?? (await this.human());
    const { agent, key, secret } = await proven(person, () => person.createAgent({ username }));
    return { ...this.bearer(String(secret)), agent, keyId: key.id };
  }

  /** Another session of a person, in a browser of its own. */
  async anotherSession({ user, password }: Person): Promise<Caller> {
    const response = await this.anonymous().call("logIn", { username: user.username, password });
    if (response.status !== 200) throw new Error(JSON.stringify(response.body));
    return this.with({ cookie: cookieOf(response) });
  }

  /** A session as the operator's agent, in a browser of its own, where it replaces another session of the operator. */
  async agentSession(operator: Person, agentId: number): Promise<Caller> {
    const browser = await this.anotherSession(operator);
    return this.with({ cookie: cookieOf(await browser.call("openAgentSession", { id: agentId })) });
  }
}

/** Performs an action, and once more with the password if the person's sign-in is too old for it. */
async function proven<R>(person: Caller, action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (error) {
    const isOld = error instanceof TandemError && error.code === "reauthentication_required";
    if (!isOld || !("password" in person)) throw error;
    await person.reauthenticate({ password: String(person.password) });
    return action();
  }
}

const DEVICE = "tandem_device=";

/** The cookies that a response sets, as a browser would send them back, except the one that marks a known device. */
export function cookieOf(response: Pick<CallResponse, "headers">): string {
  return cookiesOf(response)
    .filter((cookie) => !cookie.startsWith(DEVICE))
    .join("; ");
}

/** The cookie that marks the device of a successful login. */
export function deviceCookieOf(response: Pick<CallResponse, "headers">): string {
  return cookiesOf(response).find((cookie) => cookie.startsWith(DEVICE)) ?? "";
}

const cookiesOf = ({ headers }: Pick<CallResponse, "headers">) =>
  headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

/** Without the client's retries, so that tests see each response. */
function caller(given: ClientOptions): Caller {
  const options = { fetch: quickFetch, ...given, maxWait: 0 };
  return {
    ...createClient(options),
    options,
    async call(name, input = {}, call = {}) {
      const { status, headers, ...response } = await raw(options, name, input, call);
      return { status, headers, body: response.text === "" ? {} : JSON.parse(response.text) };
    },
  };
}

async function raw(options: ClientOptions, name: OperationName, input: object, call: CallOptions) {
  const response = await send(options, routes[name], input, call);
  // A stream doesn't end; its headers are the response.
  if (routes[name].streams && response.ok) {
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, text: "" };
  }
  return { status: response.status, headers: response.headers, text: await response.text() };
}
