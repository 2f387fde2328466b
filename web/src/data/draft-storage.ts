import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useMe } from "./me.ts";
import { deleteStored, readStored, writeStored } from "./stored.ts";

/** Unsent input, stored in the browser until it is sent, so that it survives reloads and crashes. */
export interface StoredDraft<T> {
  value: T;
  change(values: Partial<T>): void;
  /** Whether the input was restored from an earlier visit. */
  isRestored: boolean;
  /**
   * The idempotency key for a request. The same content gets the same key until the draft is cleared, so
   * retrying after a lost response, even after a reload, does nothing twice. Files are identified by name,
   * size, type and time.
   */
  idempotencyKeyFor(sent: object): string;
  /** Resets to the initial value and removes the stored draft. */
  clear(): void;
  /**
   * Like `clear`, after sending; but changes made since the last attempt, for example in another tab, are
   * kept.
   */
  clearSent(): void;
}

interface DraftRecord<T> {
  /** The fields that differ from the initial value. */
  words: Partial<T>;
  /** The requests made so far, serialized, with their idempotency keys. */
  presses: readonly (readonly [sent: string, key: string])[];
}

/**
 * Stores a draft. `kind` identifies it, such as `comment.42`, within the reader's account. All tabs show the
 * same draft, field by field as it was changed last, so none can send again what another has sent. What isn't `worthStoring`, such
 * as a choice without any text, is lost when the page is left.
 */
export function useStoredDraft<T extends object>(
  kind: string,
  initial: T,
  worthStoring: (value: T) => boolean = () => true,
): StoredDraft<T> {
  const storageKey = useStorageKey(kind);
  const [{ words }, setRecord] = useState<DraftRecord<T>>(blank);
  const [isRestored, setRestored] = useState(false);
  const latest = useRef<DraftRecord<T>>(blank);
  const atLastAttempt = useRef<Partial<T>>({});
  const show = useCallback((next: DraftRecord<T>) => {
    latest.current = next;
    setRecord(next);
  }, []);
  const isWorthStoring = useEffectEvent((words: Partial<T>) => worthStoring({ ...initial, ...words }));
  // The first render must match the server's, which doesn't know the stored draft.
  useEffect(() => {
    const stored = readStored<DraftRecord<T>>(storageKey);
    if (!stored?.words || !isWorthStoring(stored.words)) return;
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
    writeStored(storageKey, isBlank(next) || !worthStoring({ ...initial, ...next.words }) ? null : next);
  };
  // Reads the storage, because another tab may have changed it just now.
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

/** Which of these kinds has a draft from an earlier visit; null if none does, and before hydration. */
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

/** Keeps only the values that differ from the initial ones. */
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

/** A random key. `crypto.randomUUID` would require HTTPS. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

const storagePrefix = (account: number) => `tandem.kept.${account}.`;

/** The localStorage key for the current reader. */
export const useStorageKey = (kind: string): string => storagePrefix(useMe()?.id ?? 0) + kind;

/** Calls `onChange` when another tab changes or removes the value. */
export function useStorageChange(name: string, onChange: () => void): void {
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => key === name && changed();
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [name]);
}

/** Deletes all of an account's drafts from this browser, when it logs out. */
export const clearStoredDrafts = (account: number): void => deleteStored(storagePrefix(account));
