import { type ClipboardEvent, type DragEvent, useEffect, useState } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { checkMedia, type FileProblem } from "./media-check.ts";
import type { Media } from "./media-field.tsx";

/** The message for a file that can't be used. */
export function useFileProblemMessage(problem: FileProblem | null): string | null {
  const { t } = useText();
  if (problem === null) return null;
  if (problem.reason === "type") return t("composer.unsupportedType");
  return t("composer.tooLarge", { megabytes: problem.maxBytes / 2 ** 20 });
}

/** An object URL for a file, revoked on unmount. */
export function useObjectUrl(file: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(created);
    };
  }, [file]);
  return url;
}

/** Accepts files that are dropped on a form or pasted into it. */
export function useFileDrop(onChoose: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  const takeFile = (files: FileList | undefined) => {
    const file = files?.[0];
    if (file) onChoose(file);
    return file !== undefined;
  };
  const handleDrag = (event: DragEvent, isOver: boolean) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(isOver);
  };
  return {
    isOver: isOver,
    handlers: {
      onDragOver: (event: DragEvent) => handleDrag(event, true),
      onDragLeave: (event: DragEvent) => handleDrag(event, false),
      onDrop: (event: DragEvent) => {
        handleDrag(event, false);
        takeFile(event.dataTransfer.files);
      },
      onPaste: (event: ClipboardEvent) => {
        // Some programs copy a picture of the text with the text. Paste the text then.
        if (event.clipboardData.types.includes("text/plain")) return;
        if (takeFile(event.clipboardData.files)) event.preventDefault();
      },
    },
  };
}

/** Passes on files that can be used; reports the problem with others. */
export function useCheckedMedia(onChange: (media: Media) => void) {
  const [problem, setUnfit] = useState<FileProblem | null>(null);
  return {
    problem: problem,
    select(media: Media) {
      const problem = media.file && checkMedia(media.file);
      setUnfit(problem);
      if (!problem) onChange(media);
    },
  };
}

const noMedia: Media = { file: null, poster: null };
let lastSelected: { account: number | null; media: Media } = { account: null, media: noMedia };

/** The selected media. It is kept while the author visits other pages of the app. */
export function useSelectedMedia(): [media: Media, select: (media: Media) => void, clear: () => void] {
  const account = useMe()?.id ?? null;
  const [media, setMedia] = useState(lastSelected.account === account ? lastSelected.media : noMedia);
  const select = (selected: Media) => {
    lastSelected = { account, media: selected };
    setMedia(selected);
  };
  return [media, select, () => select(noMedia)];
}
