import type { RefObject } from "react";

/** A hidden file input. A button opens it. */
export function FileInput({
  inputRef,
  accept,
  label,
  multiple = false,
  onSelect,
}: {
  inputRef: RefObject<HTMLInputElement | null>;
  accept: string;
  label: string;
  multiple?: boolean;
  /** `others` are those after the first, with `multiple`. */
  onSelect(file: File, others: File[]): void;
}) {
  return (
    <input
      ref={inputRef}
      type="file"
      accept={accept}
      multiple={multiple}
      aria-label={label}
      hidden
      onChange={({ target }) => {
        const [file, ...others] = target.files ?? [];
        // So that the same file can be chosen again.
        target.value = "";
        if (file) onSelect(file, others);
      }}
    />
  );
}
