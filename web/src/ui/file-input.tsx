import type { RefObject } from "react";

/** A hidden file input. A button opens it. */
export function FileInput({
  inputRef,
  accept,
  label,
  onSelect,
}: {
  inputRef: RefObject<HTMLInputElement | null>;
  accept: string;
  label: string;
  onSelect(file: File): void;
}) {
  return (
    <input
      ref={inputRef}
      type="file"
      accept={accept}
      aria-label={label}
      hidden
      onChange={({ target }) => {
        const file = target.files?.[0];
        // So that the same file can be chosen again.
        target.value = "";
        if (file) onSelect(file);
      }}
    />
  );
}
