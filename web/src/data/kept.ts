import { useCallback, useEffect, useRef, useState } from "react";
import { useMe } from "./me.ts";

/** What is being written, kept in the browser until it is sent: neither a reload nor a crash takes it away. */
export interface Kept<T> {
  value: T;
  change(values: Partial<T>): void;
  /** Whether it was found here, from an earlier visit. */
  found: boolean;
  /** Back to how it began, with nothing kept. */
  clear(): void;
}

/** `kind` names what is written, such as `comment.42`; each account of a browser has its own. */
export function useKept<T extends object>(kind: string, initial: T): Kept<T> {
  const name = `tandem.kept.${useMe()?.id ?? 0}.${kind}`;
  const [value, setValue] = useState(initial);
  const [found, setFound] = useState(false);
  const latest = useRef(value);
  const show = useCallback((next: T) => {
    latest.current = next;
    setValue(next);
  }, []);
  // The service doesn't know what is kept here: what it drew is drawn first.
  useEffect(() => {
    const kept = read<T>(name);
    if (kept === null) return;
    show({ ...latest.current, ...kept });
    setFound(true);
  }, [name, show]);
  return {
    value,
    found,
    change(values) {
      show({ ...latest.current, ...values });
      write(name, latest.current);
    },
    clear() {
      show(initial);
      setFound(false);
      write(name, null);
    },
  };
}

function read<T>(name: string): Partial<T> | null {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof kept === "object" ? kept : null;
  } catch {
    return null;
  }
}

/** A browser may refuse to keep anything: then it is only in the page. */
function write(name: string, value: object | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {}
}
