import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useMe } from "./me.ts";

/** What is being written, kept in the browser until it is sent: neither a reload nor a crash takes it away. */
export interface Kept<T> {
  value: T;
  change(values: Partial<T>): void;
  /** Whether it was found here, from an earlier visit. */
  found: boolean;
  /**
   * The key under which something is sent of it: the same for the same, until it is cleared. So pressing again after the
   * answer was lost, be it after a reload, does nothing twice. Files are told apart by name, size and time.
   */
  keyFor(sent: object): string;
  /** Back to how it began, with nothing kept. */
  clear(): void;
  /** The same, once it was sent; but what another tab has written since the last press stays. */
  sent(): void;
}

interface Writing<T> {
  /** What differs from how it began. */
  words: Partial<T>;
  /** What was sent of it so far, as text, and under which key. */
  presses: readonly (readonly [sent: string, key: string])[];
}

/**
 * `kind` names what is written, such as `comment.42`; each account of a browser has its own. All its tabs show the same,
 * field by field as it was written last: so what one of them has sent another can't send again.
 */
export function useKept<T extends object>(kind: string, initial: T): Kept<T> {
  const name = useKeptName(kind);
  const [{ words }, setWriting] = useState<Writing<T>>(blank);
  const [found, setFound] = useState(false);
  const latest = useRef<Writing<T>>(blank);
  const pressed = useRef<Partial<T>>({});
  const show = useCallback((now: Writing<T>) => {
    latest.current = now;
    setWriting(now);
  }, []);
  // The service doesn't know what is kept here: what it drew is drawn first.
  useEffect(() => {
    const kept = readKept<Writing<T>>(name);
    if (!kept?.words) return;
    show({ ...blank, ...kept });
    setFound(true);
  }, [name, show]);
  useOtherTabs(name, () => {
    const kept = readKept<Writing<T>>(name);
    show({ ...blank, ...kept });
    if (kept === null) setFound(false);
  });
  const keep = (now: Writing<T>) => {
    show(now);
    writeKept(name, isBlank(now) ? null : now);
  };
  // Another tab may have written a moment ago.
  const written = (): Writing<T> => ({ ...latest.current, ...readKept<Writing<T>>(name) });
  const clear = () => {
    show(blank);
    setFound(false);
    writeKept(name, null);
  };
  return {
    value: { ...initial, ...words },
    found,
    change(values) {
      const before = written();
      keep({ ...before, words: differing(initial, { ...before.words, ...values }) });
    },
    keyFor(sent) {
      const before = written();
      pressed.current = before.words;
      const { presses } = before;
      const now = textOf(sent);
      const [, key = newKey()] = presses.find(([one]) => one === now) ?? [];
      keep({ ...before, presses: [...presses.filter(([one]) => one !== now), [now, key]] });
      return key;
    },
    clear,
    sent() {
      const since = differing({ ...initial, ...pressed.current }, { ...initial, ...written().words });
      clear();
      if (Object.keys(since).length > 0) keep({ ...blank, words: differing(initial, since) });
    },
  };
}

/** Which of these kinds was begun at an earlier visit; null where none was, and until the page is alive. */
export function useBegun<K extends string>(kinds: Readonly<Record<K, string>>): K | null {
  const names = useKeptName("");
  const [begun, setBegun] = useState<K | null>(null);
  const now = useEffectEvent(() => {
    const all = Object.entries<string>(kinds) as [K, string][];
    setBegun(all.find(([, kind]) => readKept(names + kind) !== null)?.[0] ?? null);
  });
  useEffect(() => now(), []);
  return begun;
}

const blank = { words: {}, presses: [] };

const isBlank = ({ words, presses }: Writing<object>) =>
  presses.length === 0 && Object.keys(words).length === 0;

/** Those words that aren't as they were: what was erased again needn't be kept. */
function differing<T extends object>(initial: T, words: Partial<T>): Partial<T> {
  const changed = Object.entries(words).filter(
    ([name, value]) => textOf(value) !== textOf(initial[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

const textOf = (sent: unknown): string =>
  JSON.stringify(sent, (_name, value) =>
    value instanceof Blob ? [value.size, value.type, Object(value).name, Object(value).lastModified] : value,
  );

/** As the client makes its own: `crypto.randomUUID` would need a page that came by HTTPS. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

const namesOf = (account: number) => `tandem.kept.${account}.`;

/** Under which name the browser keeps something for whoever reads. */
export const useKeptName = (kind: string): string => namesOf(useMe()?.id ?? 0) + kind;

export function readKept<T>(name: string): Partial<T> | null {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof kept === "object" ? kept : null;
  } catch {
    return null;
  }
}

/** Hears that another tab keeps something else under a name, or nothing any more. */
export function useOtherTabs(name: string, onChange: () => void): void {
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    const hear = ({ key }: StorageEvent) => key === name && changed();
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }, [name]);
}

/** A browser may refuse to keep anything: then it is only in the page. */
export function writeKept(name: string, value: object | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {}
}

/** Whoever leaves for good leaves nothing here that they wrote. */
export function forgetKept(account: number): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(namesOf(account))) writeKept(name, null);
  } catch {}
}
