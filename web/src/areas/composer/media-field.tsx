import { pictureTypes, videoTypes } from "@tandem/contract/files";
import { limits } from "@tandem/contract/limits";
import { ImagePlus, X } from "lucide-react";
import { useRef, useState } from "react";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { FileInput, useFileProblemMessage, useObjectUrl } from "./file-input.tsx";
import { acceptAttribute, type FileProblem, mediaKind } from "./media-check.ts";
import { PosterField } from "./poster-field.tsx";
import { AltField } from "./text-fields.tsx";

/** A post's picture or video. */
export interface Media {
  file: File | null;
  poster: File | null;
}

interface Props {
  media: Media;
  onChange(media: Media): void;
  alt: string;
  onAlt(alt: string): void;
  altError: string | null;
  readOnly: boolean;
  error: Error | null;
  fileProblem: FileProblem | null;
}

export function MediaField({ media, onChange, alt, onAlt, altError, readOnly, error, fileProblem }: Props) {
  const { t } = useText();
  const { file } = media;
  const serverMessage = ["image", "video", "thumbnail"]
    .map((field) => fieldErrorMessage(field, error, t))
    .find(Boolean);
  const fileMessage = useFileProblemMessage(fileProblem) ?? serverMessage;
  return (
    <section aria-label={t("composer.media")} className="flex flex-col gap-3">
      {file ? (
        <Preview media={media} onChange={onChange} />
      ) : (
        <FileChooser onSelect={(selected) => onChange({ file: selected, poster: null })} />
      )}
      {fileMessage && (
        <p role="alert" tabIndex={-1} data-error="" className="text-sm font-medium text-danger">
          {fileMessage}
        </p>
      )}
      {file && <AltField alt={alt} onChange={onAlt} error={altError} readOnly={readOnly} />}
    </section>
  );
}

const acceptedTypes = acceptAttribute([...pictureTypes, ...videoTypes]);

/** Nothing is selected yet: choose, drop or paste a file. */
function FileChooser({ onSelect }: { onSelect(file: File): void }) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-col items-center gap-2 rounded-xl border border-dashed border-edge px-4 py-6 text-center">
      <Button onClick={() => input.current?.click()}>
        <ImagePlus className="size-4" aria-hidden="true" />
        {t("composer.chooseMedia")}
      </Button>
      <p className="text-sm text-soft">
        {t("composer.chooseMediaHint", {
          picture: limits.imageBytes / 2 ** 20,
          video: limits.videoBytes / 2 ** 20,
        })}
      </p>
      <FileInput
        inputRef={input}
        accept={acceptedTypes}
        label={t("composer.chooseMedia")}
        onSelect={onSelect}
      />
    </div>
  );
}

function Preview({ media, onChange }: { media: Media; onChange(media: Media): void }) {
  const { t, locale } = useText();
  const { file } = media;
  const address = useObjectUrl(file);
  const video = useRef<HTMLVideoElement>(null);
  const [broken, setBroken] = useState(false);
  if (!file) return null;
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(file.size / 2 ** 20);
  const previewClass = "max-h-96 w-full rounded-t-xl bg-sunken object-contain";
  const kind = mediaKind(file);
  return (
    <div className="rounded-xl border bg-surface">
      {address && !broken && kind === "picture" && (
        <img
          src={address}
          alt={t("composer.preview")}
          className={previewClass}
          onError={() => setBroken(true)}
        />
      )}
      {address && kind === "video" && (
        <video ref={video} src={address} controls muted playsInline className={previewClass} />
      )}
      {broken && <p className="px-4 py-6 text-center text-soft">{t("composer.noPreview")}</p>}
      <div className="flex items-center gap-2 py-1 ps-3 pe-1">
        <p className="theirs line-clamp-1 min-w-0 flex-1 text-sm">
          {file.name} <span className="text-soft">{t("composer.megabytes", { size })}</span>
        </p>
        <IconButton label={t("composer.removeFile")} onClick={() => onChange({ file: null, poster: null })}>
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      {kind === "video" && (
        <PosterField
          poster={media.poster}
          video={video}
          onChange={(poster) => onChange({ ...media, poster })}
        />
      )}
    </div>
  );
}
