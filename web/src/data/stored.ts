/* Values in the browser's storage. */

export function readStored<T>(name: string): Partial<T> | null {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof stored === "object" ? stored : null;
  } catch {
    return null;
  }
}

/** Stores a value, or removes it. If the browser refuses, it lives only in the page. */
export function writeStored(name: string, value: object | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {}
}

export function deleteStored(prefix: string): void {
  for (const name of storedNames(prefix)) writeStored(name, null);
}

export function storedNames(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}
