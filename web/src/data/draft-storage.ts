import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useMe } from "./me.ts";

/** What is being written, kept in the browser until it is sent: neither a reload nor a crash takes it away. */
export interface StoredDraft<T> {
  value: T;
  change(values: Partial<T>): void;
  /** Whether it was found here, from an earlier visit. */
  isRestored: boolean;
  /**
   * The key under which something is sent of it: the same for the same, until it is cleared. So pressing again after the
   * answer was lost, be it after a reload, does nothing twice. Files are told apart by name, size and time.
   */
  idempotencyKeyFor(sent: object): string;
  /** Back to how it began, with nothing kept. */
  clear(): void;
  /** The same, once it was sent; but what another tab has written since the last press stays. */
  clearSent(): void;
}

interface DraftRecord<T> {
  /** What differs from how it began. */
  words: Partial<T>;
  /** What was sent of it so far, as text, and under which key. */
  presses: readonly (readonly [sent: string, key: string])[];
}

/**
 * `kind` names what is written, such as `comment.42`; each account of a browser has its own. All its tabs show the same,
 * field by field as it was written last: so what one of them has sent another can't send again.
 */
export function useStoredDraft<T extends object>(kind: string, initial: T): StoredDraft<T> {
  const storageKey = useStorageKey(kind);
  const [{ words }, setRecord] = useState<DraftRecord<T>>(blank);
  const [isRestored, setRestored] = useState(false);
  const latest = useRef<DraftRecord<T>>(blank);
  const atLastAttempt = useRef<Partial<T>>({});
  const show = useCallback((next: DraftRecord<T>) => {
    latest.current = next;
    setRecord(next);
  }, []);
  // The service doesn't know what is kept here: what it drew is drawn first.
  useEffect(() => {
    const stored = readStored<DraftRecord<T>>(storageKey);
    if (!stored?.words) return;
    show({ ...blank, ...stored });
    setRestored(true);
  }, [storageKey, show]);
  useStorageChange(storageKey, () => {
    const stored = readStored<DraftRecord<T>>(storageKey);
    show({ ...blank, ...stored });
    if (stored === null) setRestored(false);
  });
  const store = (next: DraftRecord<T>) => {
    show(next);
    writeStored(storageKey, isBlank(next) ? null : next);
  };
  // Another tab may have written a moment ago.
  const current = (): DraftRecord<T> => ({ ...latest.current, ...readStored<DraftRecord<T>>(storageKey) });
  const clear = () => {
    show(blank);
    setRestored(false);
    writeStored(storageKey, null);
  };
  return {
    value: { ...initial, ...words },
    isRestored,
    change(values) {
      const record = current();
      store({ ...record, words: changedFrom(initial, { ...record.words, ...values }) });
    },
    idempotencyKeyFor(sent) {
      const record = current();
      atLastAttempt.current = record.words;
      const { presses } = record;
      const next = serialize(sent);
      const [, key = newIdempotencyKey()] = presses.find(([text]) => text === next) ?? [];
      store({ ...record, presses: [...presses.filter(([text]) => text !== next), [next, key]] });
      return key;
    },
    clear,
    clearSent() {
      const since = changedFrom({ ...initial, ...atLastAttempt.current }, { ...initial, ...current().words });
      clear();
      if (Object.keys(since).length > 0) store({ ...blank, words: changedFrom(initial, since) });
    },
  };
}

/** Which of these kinds was begun at an earlier visit; null where none was, and until the page is alive. */
export function useUnfinishedDraft<K extends string>(kinds: Readonly<Record<K, string>>): K | null {
  const prefix = useStorageKey("");
  const [unfinished, setUnfinished] = useState<K | null>(null);
  const readAll = useEffectEvent(() => {
    const all = Object.entries<string>(kinds) as [K, string][];
    setUnfinished(all.find(([, kind]) => readStored(prefix + kind) !== null)?.[0] ?? null);
  });
  useEffect(() => readAll(), []);
  return unfinished;
}

const blank = { words: {}, presses: [] };

const isBlank = ({ words, presses }: DraftRecord<object>) =>
  presses.length === 0 && Object.keys(words).length === 0;

/** Those words that aren't as they were: what was erased again needn't be kept. */
function changedFrom<T extends object>(initial: T, changes: Partial<T>): Partial<T> {
  const changed = Object.entries(changes).filter(
    ([name, value]) => serialize(value) !== serialize(initial[name as keyof T]),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

const serialize = (sent: unknown): string =>
  JSON.stringify(sent, (_name, value) =>
    value instanceof Blob ? [value.size, value.type, Object(value).name, Object(value).lastModified] : value,
  );

/** As the client makes its own: `crypto.randomUUID` would need a page that came by HTTPS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

const storagePrefix = (account: number) => `tandem.kept.${account}.`;

/** Under which name the browser keeps something for whoever reads. */
export const useStorageKey = (kind: string): string => storagePrefix(useMe()?.id ?? 0) + kind;

export function readStored<T>(name: string): Partial<T> | null {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof stored === "object" ? stored : null;
  } catch {
    return null;
  }
}

/** Hears that another tab keeps something else under a name, or nothing any more. */
export function useStorageChange(name: string, onChange: () => void): void {
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => key === name && changed();
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [name]);
}

/** A browser may refuse to keep anything: then it is only in the page. */
export function writeStored(name: string, value: object | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {}
}

/** Whoever leaves for good leaves nothing here that they wrote. */
export function clearStoredDrafts(account: number): void {
  try {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(storagePrefix(account))) writeStored(name, null);
  } catch {}
}
