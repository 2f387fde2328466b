import { type ClipboardEvent, type DragEvent, type RefObject, useEffect, useState } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { type Unfit, unfitness } from "./media-check.ts";
import type { Media } from "./media-field.tsx";

/** What is wrong with a file, in words. */
export function useUnfitWords(unfit: Unfit | null): string | null {
  const { t } = useText();
  if (unfit === null) return null;
  if (unfit.reason === "type") return t("composer.wrongType");
  return t("composer.tooLarge", { megabytes: unfit.most / 2 ** 20 });
}

/** The platform's own way of choosing a file, behind a button that looks like ours. */
export function Picker({
  picker,
  accept,
  label,
  onChoose,
}: {
  picker: RefObject<HTMLInputElement | null>;
  accept: string;
  label: string;
  onChoose(file: File): void;
}) {
  return (
    <input
      ref={picker}
      type="file"
      accept={accept}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={({ target }) => {
        const file = target.files?.[0];
        // The same file can be chosen again after it was taken away.
        target.value = "";
        if (file) onChoose(file);
      }}
    />
  );
}

/** An address of a file's own for as long as it is shown. */
export function useAddress(file: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      setAddress(null);
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return address;
}

/** Takes what is dropped anywhere on a form, or pasted into it. */
export function useDropped(onChoose: (file: File) => void) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | undefined) => {
    const file = files?.[0];
    if (file) onChoose(file);
    return file !== undefined;
  };
  const stop = (event: DragEvent, isOver: boolean) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(isOver);
  };
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => stop(event, true),
      onDragLeave: (event: DragEvent) => stop(event, false),
      onDrop: (event: DragEvent) => {
        stop(event, false);
        take(event.dataTransfer.files);
      },
      onPaste: (event: ClipboardEvent) => {
        // A program may put a picture of its words beside them: then the words are meant.
        if (event.clipboardData.types.includes("text/plain")) return;
        if (take(event.clipboardData.files)) event.preventDefault();
      },
    },
  };
}

/** Whether something else than a fitting file was chosen; that one isn't taken. */
export function useChosen(onChange: (media: Media) => void) {
  const [unfit, setUnfit] = useState<Unfit | null>(null);
  return {
    unfit,
    choose(media: Media) {
      const problem = media.file && unfitness(media.file);
      setUnfit(problem);
      if (!problem) onChange(media);
    },
  };
}

const none: Media = { file: null, poster: null };
let remembered: { account: number | null; media: Media } = { account: null, media: none };

/** What was chosen: it is still there when its author looks at another page of ours and comes back. */
export function useMedia(): [media: Media, choose: (media: Media) => void, clear: () => void] {
  const account = useMe()?.id ?? null;
  const [media, setMedia] = useState(remembered.account === account ? remembered.media : none);
  const choose = (chosen: Media) => {
    remembered = { account, media: chosen };
    setMedia(chosen);
  };
  return [media, choose, () => choose(none)];
}
