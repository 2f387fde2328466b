import { AsyncLocalStorage } from "node:async_hooks";
import { isWrite, type Operation } from "@tandem/contract/operation";
import { SIGNATURE_RESULT } from "@tandem/contract/signatures";
import type { FastifyRequest } from "fastify";
import { serializeItem, Token } from "structured-headers";
import { BodyDigest } from "./content-digest.ts";
import type { Services } from "./services.ts";
import { SignatureProblem } from "./signature-problem.ts";
import { isSigned, type SignedRequest, type Verdict, verdictOn } from "./verify-signature.ts";

const outer = new AsyncLocalStorage<() => Promise<Verdict>>();

/**
 * Verifies the signature of a signed write, and notes it with the caller. `body` is null without one. Null without a signature. A request
 * that is made in the process in the name of another, such as that of a tool call, counts as signed by the other's signature.
 */
export async function verifyWrite(
  services: Services,
  op: Operation,
  request: FastifyRequest,
  body: BodyDigest | Buffer | null,
): Promise<Verdict | null> {
  const { caller, raw } = request;
  const ofOuter = outer.getStore();
  if (!caller || !isWrite(op) || !(ofOuter || isSigned(services, raw.headers))) return null;
  const verdict = await (ofOuter?.() ?? verdictOn(services, caller, asSigned(request, body)));
  if (verdict instanceof SignatureProblem) return verdict;
  // Requests in the process share a verdict, and each notes what became of it.
  const signature = { ...verdict };
  request.caller = { ...caller, signature };
  return signature;
}

function asSigned(request: FastifyRequest, body: BodyDigest | Buffer | null): SignedRequest {
  return { raw: request.raw, body: asDigest(body), freePlace: () => request.freePlace() };
}

function asDigest(body: BodyDigest | Buffer | null): BodyDigest | null {
  if (body instanceof BodyDigest) return body;
  return body && body.length > 0 ? BodyDigest.of(body) : null;
}

/** Writes that handle what `send` requests in the process count as signed by this request. It is verified when one needs that. */
export function signedBy<T>(services: Services, request: FastifyRequest, send: () => Promise<T>): Promise<T> {
  const { caller, raw, body } = request;
  if (!caller || !isSigned(services, raw.headers)) return send();
  let verdict: Promise<Verdict> | undefined;
  const bytes = body instanceof Buffer ? body : null;
  return outer.run(() => {
    verdict ??= verdictOn(services, caller, asSigned(request, bytes));
    return verdict;
  }, send);
}

/** The response header that tells the client whether its signature was accepted. A retry's write was attributed when it was made, or not. */
export function signatureResult(verdict: Verdict | null, isRetry = false): Record<string, string> {
  if (!verdict) return {};
  if (verdict instanceof SignatureProblem) return resultOf("not-verified", { detail: verdict.message });
  const { signer, coversContent, use } = verdict;
  const repeated = "This signature was used before. Sign each request separately, with a nonce.";
  if (use === "repeated") return resultOf("not-verified", { detail: repeated });
  if (isRetry)
    return resultOf("verified", {
      by: signer,
      detail: "This is an earlier response, so nothing was attributed.",
    });
  const partial =
    "Receipts name the signer only if you use a key and cover @method, @target-uri, authorization and, with a body, content-digest and content-type.";
  return resultOf("verified", { by: signer, ...(!coversContent && { detail: partial }) });
}

/** A structured field (RFC 9651). */
function resultOf(token: string, parameters: Record<string, string>): Record<string, string> {
  const printable = Object.entries(parameters).map(
    ([name, value]) => [name, value.replace(/[^ -~]/g, "?").slice(0, 300)] as const,
  );
  return { [SIGNATURE_RESULT]: serializeItem([new Token(token), new Map(printable)]) };
}
