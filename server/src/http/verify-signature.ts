import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { SIGNATURE_LIFE, SIGNATURE_TAG } from "@tandem/contract/signatures";
import { type ComponentDescriptor, isSignatureError, verifySignature, webcrypto } from "http-message-sig";
import { isInnerList, parseDictionary } from "structured-headers";
import type { Caller } from "./caller.ts";
import type { BodyDigest } from "./content-digest.ts";
import { publishedKey } from "./key-directories.ts";
import type { Services } from "./services.ts";
import type { RequestSignature } from "./signature.ts";
import { SignatureProblem, signatureAgentOf } from "./signature-agent.ts";

/** Seconds by which clocks may differ. */
const CLOCK_SKEW = 60;
/** Enough for any signer, and few enough that checking them takes no time. */
const MAX_COMPONENTS = 12;
const MAX_FIELD = 2048;

/** A request as it arrived; `body` is null without one. */
export interface SignedRequest {
  raw: Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;
  body: BodyDigest | null;
}

/** A verified signature, or why it doesn't count. */
export type Verdict = RequestSignature | SignatureProblem;

/** Whether a request's signature is to be verified. */
export function isSigned({ config }: Services, headers: IncomingHttpHeaders): boolean {
  return (
    headers.signature !== undefined && headers["signature-input"] !== undefined && config.signers !== "none"
  );
}

/** Verifies a request's signature. Never rejects because of what the request, or the directory that it names, contains. */
export async function verdictOn(
  services: Services,
  caller: Pick<Caller, "userId">,
  request: SignedRequest,
): Promise<Verdict> {
  try {
    return await verify(services, caller, request);
  } catch (error) {
    if (error instanceof SignatureProblem) return error;
    if (isSignatureError(error))
      return error.cause instanceof SignatureProblem ? error.cause : explain(services, error);
    services.log.warn({ err: error }, "a signature couldn't be verified");
    return new SignatureProblem("The signature couldn't be verified.");
  }
}

function explain(
  { baseUrl }: Services,
  { code, message }: { code: string; message: string },
): SignatureProblem {
  if (code !== "VerificationFailed") return new SignatureProblem(`${message}.`);
  return new SignatureProblem(
    `The signature isn't that of this request to ${new URL(baseUrl).host} by the key in keyid.`,
  );
}

async function verify(
  services: Services,
  { userId }: Pick<Caller, "userId">,
  { raw, body }: SignedRequest,
): Promise<RequestSignature> {
  const label = labelIn(raw.headers);
  const fields = fieldsOf(raw.rawHeaders);
  const { url = "" } = raw;
  if (!url.startsWith("/")) throw new SignatureProblem("Send only path and query in the request line.");
  let signer = "";
  let hash = "";
  const message = {
    kind: "request",
    method: raw.method ?? "",
    targetUri: services.baseUrl + url,
    fields,
  } as const;
  const { components, parameters } = await verifySignature(message, {
    label,
    policy: {
      algorithms: ["ed25519"],
      requiredComponents: [],
      requiredParameters: ["created", "expires", "keyid", "tag"],
      maxAge: SIGNATURE_LIFE,
      clockSkew: CLOCK_SKEW,
      now: Math.floor(services.now() / 1000),
    },
    async resolveVerifier({ components, parameters: { keyid = "" } }) {
      const names = wholeOf(components);
      if (!names.has("@authority") && !names.has("@target-uri"))
        throw new SignatureProblem('The signature must cover "@authority" or "@target-uri".');
      const origin = signatureAgentOf(raw.headers["signature-agent"]?.toString(), label, components);
      signer = new URL(origin).host;
      const { signers } = services.config;
      if (signers !== "any" && !signers.includes(signer))
        throw new SignatureProblem(`This server doesn't know the signer ${signer}.`);
      refuseOtherBody(names, raw.headers["content-digest"]?.toString(), body);
      const verifier = webcrypto.verifier(await publishedKey(services, { origin, keyid, userId }));
      return {
        ...verifier,
        verify(data, signature) {
          hash = createHash("sha256").update(data).digest("base64url");
          return verifier.verify(data, signature);
        },
      };
    },
  });
  const { created = 0, expires = 0 } = parameters;
  return {
    signer,
    hash,
    coversContent: coversContent(components, url, body),
    endsAt: (Math.min(expires, created + SIGNATURE_LIFE) + CLOCK_SKEW + 1) * 1000,
    use: "unused",
  };
}

/** The label of the only signature for this purpose. Others are for someone else. */
function labelIn(headers: IncomingHttpHeaders): string {
  const [signature, input] = [headers.signature, headers["signature-input"]].map(String);
  if (`${signature}`.length > MAX_FIELD || `${input}`.length > MAX_FIELD)
    throw new SignatureProblem(`Signature and Signature-Input can have at most ${MAX_FIELD} characters.`);
  const labels = [...inputsIn(`${input}`)].flatMap(([label, member]) => {
    if (!isInnerList(member) || member[1].get("tag") !== SIGNATURE_TAG) return [];
    if (member[0].length > MAX_COMPONENTS)
      throw new SignatureProblem(`A signature can cover at most ${MAX_COMPONENTS} components.`);
    return [label];
  });
  const [label] = labels;
  if (label === undefined) throw new SignatureProblem(`No signature has the tag "${SIGNATURE_TAG}".`);
  if (labels.length > 1)
    throw new SignatureProblem(`More than one signature has the tag "${SIGNATURE_TAG}".`);
  return label;
}

function inputsIn(input: string) {
  try {
    return parseDictionary(input);
  } catch {
    throw new SignatureProblem("Signature-Input isn't a valid dictionary.");
  }
}

/** Without what no signature can cover. */
function fieldsOf(rawHeaders: readonly string[]): { name: string; value: string }[] {
  const fields: { name: string; value: string }[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = [rawHeaders[i], rawHeaders[i + 1]];
    if (/^[\t -~]*$/.test(value) && value.length <= MAX_FIELD) fields.push({ name, value });
  }
  return fields;
}

function refuseOtherBody(
  names: ReadonlySet<string>,
  contentDigest: string | undefined,
  body: BodyDigest | null,
): void {
  if (!names.has("content-digest") || !body) return;
  if (contentDigest === undefined || !body.matches(contentDigest))
    throw new SignatureProblem(
      "Content-Digest isn't that of the body, or names neither sha-256 nor sha-512.",
    );
}

/** The components that are covered as a whole, not only a member of them. */
function wholeOf(components: readonly ComponentDescriptor[]): Set<string> {
  return new Set(
    components.flatMap(({ name, parameters }) => (Object.keys(parameters).length === 0 ? [name] : [])),
  );
}

/** Whether a signature fits only this method, address and body. */
function coversContent(
  components: readonly ComponentDescriptor[],
  url: string,
  body: BodyDigest | null,
): boolean {
  const names = wholeOf(components);
  const coversAddress =
    names.has("@target-uri") || (names.has("@path") && (!url.includes("?") || names.has("@query")));
  return names.has("@method") && coversAddress && (!body || names.has("content-digest"));
}
