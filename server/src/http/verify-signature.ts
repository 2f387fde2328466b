import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { SIGNATURE_LIFE } from "@tandem/contract/signatures";
import { type ComponentDescriptor, isSignatureError, verifySignature, webcrypto } from "http-message-sig";
import type { Caller } from "./caller.ts";
import type { BodyDigest } from "./content-digest.ts";
import { publishedKey } from "./key-directories.ts";
import type { Services } from "./services.ts";
import type { RequestSignature } from "./signature.ts";
import { signatureAgentOf } from "./signature-agent.ts";
import { SignatureProblem } from "./signature-problem.ts";
import { signedFields } from "./signed-fields.ts";

/** Seconds by which clocks may differ. */
const CLOCK_SKEW = 60;

/** A request as it arrived; `body` is null without one. */
export interface SignedRequest {
  raw: Pick<IncomingMessage, "method" | "url" | "rawHeaders">;
  body: BodyDigest | null;
  /** Lets the next request start, because this one waits for another host. */
  freePlace: () => void;
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
  caller: Pick<Caller, "userId" | "sessionId">,
  request: SignedRequest,
): Promise<Verdict> {
  try {
    return await verify(services, caller, request);
  } catch (error) {
    if (error instanceof SignatureProblem) return error;
    const cause = isSignatureError(error) ? error.cause : error;
    if (cause instanceof SignatureProblem) return cause;
    if (isSignatureError(error) && error.code !== "ResolverFailed") return explain(services, error);
    services.log.warn({ err: cause }, "a signature couldn't be verified");
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
  { userId, sessionId }: Pick<Caller, "userId" | "sessionId">,
  { raw, body, freePlace }: SignedRequest,
): Promise<RequestSignature> {
  const { label, fields } = signedFields(raw.rawHeaders);
  const { url = "" } = raw;
  if (!url.startsWith("/")) throw new SignatureProblem("Send only path and query in the request line.");
  let signer = "";
  let hash = "";
  const message = {
    kind: "request",
    method: raw.method ?? "",
    targetUri: services.baseUrl + url,
    fields: [...fields].map(([name, value]) => ({ name, value })),
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
      const origin = signatureAgentOf(fields.get("signature-agent"), label, components);
      signer = new URL(origin).host;
      const { signers } = services.config;
      if (signers !== "any" && !signers.includes(signer))
        throw new SignatureProblem(`This server doesn't know the signer ${signer}.`);
      refuseOtherBody(names, fields.get("content-digest"), body);
      const verifier = webcrypto.verifier(await publishedKey(services, { origin, keyid, userId, freePlace }));
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
    coversContent: sessionId === null && coversContent(components, body),
    endsAt: (Math.min(expires, created + SIGNATURE_LIFE) + CLOCK_SKEW + 1) * 1000,
    use: "unused",
  };
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

/** Whether a signature fits only this method, address, credential and body. `Authorization` holds the credential unless that is a session. */
function coversContent(components: readonly ComponentDescriptor[], body: BodyDigest | null): boolean {
  const names = wholeOf(components);
  const covers = (...all: string[]) => all.every((name) => names.has(name));
  return (
    covers("@method", "authorization") &&
    // Without @query, a path fits whatever follows it.
    (covers("@target-uri") || covers("@authority", "@path", "@query")) &&
    // The type says how to read the body: with another boundary, a form says something else.
    (!body || covers("content-digest", "content-type"))
  );
}
