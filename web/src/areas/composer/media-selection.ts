import { limits } from "@tandem/contract/limits";
import { type ClipboardEvent, type DragEvent, useEffect, useState } from "react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { checkMedia, type FileProblem, mediaKind } from "./media-check.ts";

/** A post's pictures in their order, or its video, and the poster of that. */
export interface Media {
  files: readonly File[];
  poster: File | null;
}

export const isVideo = ({ files: [first] }: Media): boolean =>
  first !== undefined && mediaKind(first) === "video";

/** The media with more files: a video is alone, and pictures follow those that are there. */
export function withFiles(media: Media, added: readonly File[]): Media {
  const video = added.find((file) => mediaKind(file) === "video");
  if (video) return { files: [video], poster: null };
  return { files: [...(isVideo(media) ? [] : media.files), ...added], poster: null };
}

/** The message for a file that can't be used. */
export function useFileProblemMessage(problem: FileProblem | null): string | null {
  const { t } = useText();
  if (problem === null) return null;
  const message = () => {
    if (problem.reason === "type") return t("composer.unsupportedType");
    if (problem.reason === "count") return t("composer.tooMany", { count: limits.picturesPerPost });
    return t("composer.tooLarge", { megabytes: problem.maxBytes / 2 ** 20 });
  };
  return problem.name === undefined
    ? message()
    : t("composer.fileProblem", { name: problem.name, problem: message() });
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
export function useFileDrop(onChoose: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  const takeFiles = (files: Iterable<File>) => {
    const taken = [...files];
    if (taken.length > 0) onChoose(taken);
    return taken.length > 0;
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
        takeFiles(event.dataTransfer.files);
      },
      onPaste: (event: ClipboardEvent) => {
        // Some programs copy a picture of the text with the text. Paste the text then.
        if (event.clipboardData.types.includes("text/plain")) return;
        if (takeFiles(event.clipboardData.files)) event.preventDefault();
      },
    },
  };
}

/** Adds files that can be used, and reports the problem with the first other one. */
export function useCheckedFiles(media: Media, onChange: (media: Media) => void) {
  const [problem, setProblem] = useState<FileProblem | null>(null);
  return {
    problem,
    add(files: readonly File[]) {
      const problems = files.map((file) => {
        const found = checkMedia(file);
        return found && files.length > 1 ? { ...found, name: file.name } : found;
      });
      const usable = withFiles(
        media,
        files.filter((_, i) => problems[i] === null),
      );
      const isFull = usable.files.length > limits.picturesPerPost;
      setProblem(problems.find((found) => found !== null) ?? (isFull ? { reason: "count" } : null));
      if (problems.includes(null))
        onChange({ ...usable, files: usable.files.slice(0, limits.picturesPerPost) });
    },
    /** Changes what is selected, of which all can be used. */
    change(changed: Media) {
      setProblem(null);
      onChange(changed);
    },
  };
}

const noMedia: Media = { files: [], poster: null };
let lastSelected: { account: number | null; media: Media } = { account: null, media: noMedia };

/** The selected media. They are kept while the author visits other pages of the app. */
export function useSelectedMedia(): [media: Media, select: (media: Media) => void, clear: () => void] {
  const account = useMe()?.id ?? null;
  const [media, setMedia] = useState(lastSelected.account === account ? lastSelected.media : noMedia);
  const select = (selected: Media) => {
    lastSelected = { account, media: selected };
    setMedia(selected);
  };
  return [media, select, () => select(noMedia)];
}
