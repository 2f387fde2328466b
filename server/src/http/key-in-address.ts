import { KEY_PREFIX } from "./key-format.ts";

/** Whether this is the name of a query parameter in which many APIs take keys. */
export function isKeyName(name: string): boolean {
  return /^(api_?key|(access_?)?token|key|auth|authorization|bearer)$/i.test(name);
}

/** Whether an address has one of our keys, whole or not. */
export function hasKey(address: string): boolean {
  return address.includes(KEY_PREFIX);
}
