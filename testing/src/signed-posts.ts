import type { AgentCaller } from "./callers.ts";
import { contentDigest, type KeyDirectory, type Signed, signatureHeaders } from "./key-directory.ts";
import { type RawResponse, sendRequest } from "./raw-http.ts";
import type { Tandem } from "./tandem.ts";

/** What a test changes about a correctly signed request. */
export interface Changes {
  /** What is signed. */
  signed?: (correct: Signed) => Partial<Signed>;
  /** What is sent. */
  headers?: (correct: Record<string, string>) => Record<string, string | string[]>;
  body?: string | Buffer;
  path?: string;
  method?: string;
}

let nonces = 0;

export const bearerOf = ({ options }: AgentCaller) => `Bearer ${options.key}`;

/** What it takes to sign a post by an agent. */
export function signedPost(
  { baseUrl, services }: Tandem,
  caller: AgentCaller,
  directory: KeyDirectory,
  text: string,
  path = "/api/posts",
) {
  const body = JSON.stringify({ title: text });
  const digest = contentDigest(body);
  const agent = `"${directory.origin.url}"`;
  const created = Math.floor(services.now() / 1000);
  nonces += 1;
  const signed: Signed = {
    key: directory.key,
    components: [
      ['"@method"', "POST"],
      ['"@target-uri"', baseUrl + path],
      ['"authorization"', bearerOf(caller)],
      ['"content-type"', "application/json"],
      ['"content-digest"', digest],
      ['"signature-agent";key="sig1"', agent],
    ],
    parameters: {
      created,
      expires: created + 60,
      keyid: directory.key.jwk.kid,
      nonce: String(nonces),
      tag: "web-bot-auth",
    },
  };
  return { body, signed, others: { "content-digest": digest, "signature-agent": `sig1=${agent}` } };
}

/** Sends a signed post, or whatever `changes` make of it. */
export async function sendSigned(
  tandem: Tandem,
  caller: AgentCaller,
  directory: KeyDirectory,
  {
    signed: change = () => ({}),
    headers: alter = (given) => given,
    path = "/api/posts",
    method = "POST",
    ...changes
  }: Changes = {},
): Promise<RawResponse> {
  const { body, signed, others } = signedPost(tandem, caller, directory, "On kettles", path);
  const headers = alter({ ...others, ...signatureHeaders({ ...signed, ...change(signed) }) });
  const own = { authorization: bearerOf(caller), "content-type": "application/json" };
  const request = { method, path, headers: { ...own, ...headers }, body: changes.body ?? body };
  return sendRequest(tandem.baseUrl, request);
}

/** The same components, with others in the place of one. */
export const inPlaceOf =
  (identifier: string, ...instead: (readonly [string, string])[]) =>
  ({ components }: Signed): Partial<Signed> => ({
    components: components.flatMap((one) => (one[0] === identifier ? instead : [one])),
  });

export const resultOf = ({ headers }: Pick<RawResponse, "headers">) => headers.get("signature-result");
