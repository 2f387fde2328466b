import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { AltField } from "./alt-field.tsx";
import type { FileProblem } from "./media-check.ts";
import { isVideo, useFileProblemMessage, useObjectUrl } from "./media-selection.ts";
import { PictureList } from "./picture-list.tsx";
import { PosterField } from "./poster-field.tsx";
import { FileName, type SelectedProps, Thumbnail } from "./selected-file.tsx";

interface Props extends SelectedProps {
  error: Error | null;
  fileProblem: FileProblem | null;
}

/** The selected pictures or video with their descriptions, and what is wrong with the files. */
export function MediaField({ error, fileProblem, ...props }: Props) {
  const { t } = useText();
  const { files } = props.media;
  const [file] = files;
  const serverMessage = ["image", "video", "thumbnail"]
    .map((field) => fieldErrorMessage(field, error, t))
    .find(Boolean);
  const message = useFileProblemMessage(fileProblem) ?? serverMessage;
  const box = useRef<HTMLDivElement>(null);
  const countBefore = useRef(files.length);
  // The list, whose button had the focus, has become a single picture.
  useEffect(() => {
    if (countBefore.current > 1 && files.length === 1)
      box.current?.querySelector<HTMLElement>("[data-action=remove]")?.focus();
    countBefore.current = files.length;
  }, [files.length]);
  return (
    <div ref={box} className="contents">
      {message && (
        <p role="alert" tabIndex={-1} data-error="" className="text-sm font-medium text-danger">
          {message}
        </p>
      )}
      {files.length > 1 ? <PictureList {...props} /> : file && <SelectedMedium {...props} file={file} />}
    </div>
  );
}

/** An only picture, or a video. */
function SelectedMedium({
  media,
  file,
  onChange,
  alts,
  altErrors,
  readOnly,
  note,
}: SelectedProps & { file: File }) {
  const { t } = useText();
  const address = useObjectUrl(file);
  const video = useRef<HTMLVideoElement>(null);
  const hasVideo = isVideo(media);
  const [alt = ""] = alts;
  return (
    <section aria-label={t("composer.media")} className="rounded-xl border bg-surface">
      {hasVideo && address && (
        <video
          ref={video}
          src={address}
          controls
          muted
          playsInline
          className="max-h-72 w-full rounded-t-xl bg-sunken object-contain"
        />
      )}
      {hasVideo && (
        <PosterField
          poster={media.poster}
          video={video}
          onChange={(poster) => onChange({ ...media, poster }, [...alts])}
        />
      )}
      <div className="p-3">
        <AltField
          alt={alt}
          onChange={(changed) => onChange(media, [changed])}
          error={altErrors[0] ?? null}
          readOnly={readOnly}
          thumbnail={!hasVideo && <Thumbnail address={address} alt={alt} />}
        />
      </div>
      <div className="flex items-center gap-2 border-t py-1.5 ps-3 pe-1 text-sm">
        <div className="min-w-0 flex-1">
          <FileName file={file} />
          <p className="text-soft">{note}</p>
        </div>
        <IconButton
          label={t("composer.removeFile")}
          data-action="remove"
          onClick={() => onChange({ files: [], poster: null }, [...alts])}
        >
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
    </section>
  );
}
