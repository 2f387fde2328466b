import { pictureTypes } from "@tandem/contract/files";
import { type RefObject, useRef, useState } from "react";
import { useToasts } from "../../data/toasts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { acceptAttribute, checkPoster, type FileProblem } from "./media-check.ts";
import { useFileProblemMessage, useObjectUrl } from "./media-selection.ts";

/** A video's poster: by default a frame that the server takes, or one that the author chooses. */
export function PosterField({
  poster,
  video,
  onChange,
}: {
  poster: File | null;
  video: RefObject<HTMLVideoElement | null>;
  onChange(poster: File | null): void;
}) {
  const { t } = useText();
  const { showError } = useToasts();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<FileProblem | null>(null);
  const address = useObjectUrl(poster);
  const problemMessage = useFileProblemMessage(problem);
  const choose = (file: File) => {
    const found = checkPoster(file);
    setProblem(found);
    if (!found) onChange(file);
  };
  return (
    <div className="flex flex-wrap items-center gap-3 border-t p-3">
      {address && (
        <img
          src={address}
          alt={t("composer.posterPreview")}
          className="h-16 w-auto rounded-lg bg-sunken object-contain"
        />
      )}
      <p className="min-w-40 flex-1 text-sm text-soft">
        {t(poster ? "composer.posterChosen" : "composer.posterDescription")}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          onClick={async () => {
            const frame = video.current && (await captureFrame(video.current));
            if (frame) onChange(frame);
            else showError(t("composer.noFrame"));
          }}
        >
          {t("composer.posterFrame")}
        </Button>
        <Button size="small" onClick={() => input.current?.click()}>
          {t("composer.posterChoose")}
        </Button>
        {poster && (
          <Button size="small" variant="quiet" onClick={() => onChange(null)}>
            {t("composer.posterRemove")}
          </Button>
        )}
      </div>
      <FileInput
        inputRef={input}
        accept={acceptAttribute(pictureTypes)}
        label={t("composer.posterChoose")}
        onSelect={choose}
      />
      {problemMessage && (
        <p role="alert" className="w-full text-sm font-medium text-danger">
          {problemMessage}
        </p>
      )}
    </div>
  );
}

/** The current frame of a video as a picture; null if the browser can't play it. */
async function captureFrame(video: HTMLVideoElement): Promise<File | null> {
  await waitForFrame(video);
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0) return null;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  return blob && new File([blob], "poster.jpg", { type: "image/jpeg" });
}

/** Resolves once the video has a frame, or has failed to load. */
function waitForFrame(video: HTMLVideoElement): Promise<void> {
  if (video.error || video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ["loadeddata", "error"])
      video.addEventListener(event, () => resolve(), { once: true });
  });
}
