import { pictureTypes } from "@tandem/contract/files";
import { type RefObject, useRef, useState } from "react";
import { useToasts } from "../../data/toasts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Picker, useAddress, useUnfitWords } from "./file-input.tsx";
import { acceptsOf, type Unfit, unfitPoster } from "./media-check.ts";

/** The picture that stands for a video until it plays: the service takes one from it, or the author chooses. */
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
  const picker = useRef<HTMLInputElement>(null);
  const [unfit, setUnfit] = useState<Unfit | null>(null);
  const address = useAddress(poster);
  const wrong = useUnfitWords(unfit);
  const choose = (file: File) => {
    const problem = unfitPoster(file);
    setUnfit(problem);
    if (!problem) onChange(file);
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
        {t(poster ? "composer.posterChosen" : "composer.posterSays")}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          onClick={async () => {
            const frame = video.current && (await frameOf(video.current));
            if (frame) onChange(frame);
            else showError(t("composer.noFrame"));
          }}
        >
          {t("composer.posterFrame")}
        </Button>
        <Button size="small" onClick={() => picker.current?.click()}>
          {t("composer.posterChoose")}
        </Button>
        {poster && (
          <Button size="small" look="quiet" onClick={() => onChange(null)}>
            {t("composer.posterRemove")}
          </Button>
        )}
      </div>
      <Picker
        picker={picker}
        accept={acceptsOf(pictureTypes)}
        label={t("composer.posterChoose")}
        onChoose={choose}
      />
      {wrong && (
        <p role="alert" className="w-full text-sm font-medium text-danger">
          {wrong}
        </p>
      )}
    </div>
  );
}

/** What a video shows right now, as a picture; null where the browser can't play it. */
async function frameOf(video: HTMLVideoElement): Promise<File | null> {
  await loaded(video);
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0) return null;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
  return blob && new File([blob], "poster.jpg", { type: "image/jpeg" });
}

/** Resolves once there is a picture to be seen, or it is known that there won't be. */
function loaded(video: HTMLVideoElement): Promise<void> {
  if (video.error || video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) return Promise.resolve();
  return new Promise((resolve) => {
    for (const told of ["loadeddata", "error"]) video.addEventListener(told, () => resolve(), { once: true });
  });
}
