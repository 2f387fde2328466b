import type { ComponentDescriptor } from "http-message-sig";
import { parseItem, Token } from "structured-headers";
import { SignatureProblem } from "./signature-problem.ts";
import { strictDictionary } from "./signed-fields.ts";

const FIELD = "signature-agent";

/**
 * The origin whose keys a signature is by, from the member of `Signature-Agent` that the signature covers. Before it was a dictionary,
 * the field was a string, which some still send. Throws a `SignatureProblem`.
 */
export function signatureAgentOf(
  field: string | undefined,
  label: string,
  components: readonly ComponentDescriptor[],
): string {
  const covered = components.filter(({ name }) => name === FIELD);
  if (field === undefined || covered.length === 0)
    throw new SignatureProblem(`The signature must cover "signature-agent";key="${label}".`);
  return originOf(addressIn(field, label, covered));
}

function addressIn(field: string, label: string, covered: readonly ComponentDescriptor[]): string {
  try {
    if (field.trimStart().startsWith('"')) return directoryIn(parseItem(field));
    const members = strictDictionary(field);
    const keys = covered.flatMap(({ parameters: { key } }) =>
      typeof key === "string" ? [key] : [...members.keys()],
    );
    const key = keys.includes(label) ? label : keys[0];
    const member = keys.length === 1 || key === label ? members.get(key ?? "") : undefined;
    if (member) return directoryIn(member);
  } catch (error) {
    if (error instanceof SignatureProblem) throw error;
  }
  throw new SignatureProblem(
    `Signature-Agent must be a dictionary such as ${label}="https://signer.example", with each key once.`,
  );
}

function directoryIn([value, parameters]: readonly [unknown, ReadonlyMap<string, unknown>]): string {
  const type = parameters.get("type");
  if (type !== undefined && !(type instanceof Token && type.toString() === "directory"))
    throw new SignatureProblem("Only key directories are supported: leave `type` out of Signature-Agent.");
  if (typeof value !== "string") throw new Error("not a string");
  return value;
}

/** Only the origin: whatever else a host serves may be someone else's. */
function originOf(address: string): string {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" || (address !== url.origin && address !== `${url.origin}/`))
    throw new SignatureProblem("Signature-Agent must be an https address without a path, in lower case.");
  return url.origin;
}
