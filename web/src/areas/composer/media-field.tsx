import { X } from "lucide-react";
import { useRef, useState } from "react";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { AltField, thumbnailClass } from "./alt-field.tsx";
import { type FileProblem, mediaKind } from "./media-check.ts";
import { useFileProblemMessage, useObjectUrl } from "./media-selection.ts";
import { PosterField } from "./poster-field.tsx";

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
  /** Shown below the file. */
  note: string;
}

/** The selected picture or video with its description, and what is wrong with the file. */
export function MediaField({ error, fileProblem, ...props }: Props) {
  const { t } = useText();
  const { file } = props.media;
  const serverMessage = ["image", "video", "thumbnail"]
    .map((field) => fieldErrorMessage(field, error, t))
    .find(Boolean);
  const message = useFileProblemMessage(fileProblem) ?? serverMessage;
  return (
    <>
      {message && (
        <p role="alert" tabIndex={-1} data-error="" className="text-sm font-medium text-danger">
          {message}
        </p>
      )}
      {file && <SelectedMedia {...props} file={file} />}
    </>
  );
}

function SelectedMedia({
  media,
  file,
  onChange,
  alt,
  onAlt,
  altError,
  readOnly,
  note,
}: Omit<Props, "error" | "fileProblem"> & { file: File }) {
  const { t, locale } = useText();
  const address = useObjectUrl(file);
  const video = useRef<HTMLVideoElement>(null);
  const isVideo = mediaKind(file) === "video";
  return (
    <section aria-label={t("composer.media")} className="rounded-xl border bg-surface">
      {isVideo && address && (
        <video
          ref={video}
          src={address}
          controls
          muted
          playsInline
          className="max-h-72 w-full rounded-t-xl bg-sunken object-contain"
        />
      )}
      {isVideo && (
        <PosterField
          poster={media.poster}
          video={video}
          onChange={(poster) => onChange({ ...media, poster })}
        />
      )}
      <div className="p-3">
        <AltField
          alt={alt}
          onChange={onAlt}
          error={altError}
          readOnly={readOnly}
          thumbnail={!isVideo && <Thumbnail address={address} alt={alt} />}
        />
      </div>
      <div className="flex items-center gap-2 border-t py-1.5 ps-3 pe-1 text-sm">
        <div className="min-w-0 flex-1">
          <p className="theirs-line block">
            {file.name} <span className="text-soft">{sizeText(file.size, locale)}</span>
          </p>
          <p className="text-soft">{note}</p>
        </div>
        <IconButton label={t("composer.removeFile")} onClick={() => onChange({ file: null, poster: null })}>
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
    </section>
  );
}

function sizeText(bytes: number, locale: string): string {
  const [unit, base] = bytes < 2 ** 20 ? (["kilobyte", 2 ** 10] as const) : (["megabyte", 2 ** 20] as const);
  const maximumFractionDigits = unit === "megabyte" ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits }).format(bytes / base);
}

/** The picture, named by its description. Not all browsers can show HEIC. */
function Thumbnail({ address, alt }: { address: string | null; alt: string }) {
  const { t } = useText();
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return (
      <p className={`${thumbnailClass} grid place-items-center p-2 text-center text-xs text-soft`}>
        {t("composer.noPreview")}
      </p>
    );
  if (address === null) return <span className={thumbnailClass} />;
  return (
    <img
      src={address}
      alt={alt.trim() || t("composer.preview")}
      className={thumbnailClass}
      onError={() => setBroken(true)}
    />
  );
}
