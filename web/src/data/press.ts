import { useRef } from "react";

/** As the client makes its own: `crypto.randomUUID` would need a page that came by HTTPS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/**
 * The key under which a form is sent: the same for as long as the same is in it, so that pressing again after the answer
 * was lost does nothing twice. Files are told apart by name, size and time.
 */
export function usePressKey(): { keyFor(values: unknown): string; done(): void } {
  const last = useRef<{ values: string; key: string } | null>(null);
  return {
    keyFor(values) {
      const now = JSON.stringify(values, (_name, value) =>
        value instanceof Blob
          ? [value.size, value.type, Object(value).name, Object(value).lastModified]
          : value,
      );
      if (last.current?.values !== now) last.current = { values: now, key: newKey() };
      return last.current.key;
    },
    done() {
      last.current = null;
    },
  };
}
