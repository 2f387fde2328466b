import { pictureTypes, videoTypes } from "@tandem/contract/files";
import { limits } from "@tandem/contract/limits";
import { ImagePlus, X } from "lucide-react";
import { useRef, useState } from "react";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import type { Wrong } from "./draft.ts";
import { Picker, useAddress, useUnfitWords } from "./file-input.tsx";
import { acceptsOf, kindOf, type Unfit } from "./media-check.ts";
import { PosterField } from "./poster-field.tsx";
import { Below } from "./text-fields.tsx";

/** The picture or video that goes with a post. */
export interface Media {
  file: File | null;
  poster: File | null;
}

interface Props {
  media: Media;
  onChange(media: Media): void;
  alt: string;
  onAlt(alt: string): void;
  /** Whether it is asked what the picture shows, as it would go out without a word. */
  altWanted: boolean;
  wrong: Wrong;
  readOnly: boolean;
  error: Error | null;
  unfit: Unfit | null;
}

export function MediaField({ media, onChange, alt, onAlt, altWanted, wrong, readOnly, error, unfit }: Props) {
  const { t } = useText();
  const { file } = media;
  const refused = ["image", "video", "thumbnail"]
    .map((field) => fieldErrorMessage(field, error, t))
    .find(Boolean);
  const unfitWords = useUnfitWords(unfit) ?? refused;
  const altWrong = wrong.alt ? t(wrong.alt) : fieldErrorMessage("alt", error, t);
  return (
    <section aria-label={t("composer.media")} className="flex flex-col gap-3">
      {file ? (
        <Preview media={media} onChange={onChange} />
      ) : (
        <Choose onChoose={(chosen) => onChange({ file: chosen, poster: null })} />
      )}
      {unfitWords && (
        <p role="alert" tabIndex={-1} data-fault="" className="text-sm font-medium text-danger">
          {unfitWords}
        </p>
      )}
      {file && (
        <div>
          <TextArea
            label={t("composer.alt")}
            name="alt"
            hint={t("composer.altSays")}
            error={altWanted && alt.trim() === "" ? t("composer.altWanted") : altWrong}
            value={alt}
            readOnly={readOnly}
            className="[&_textarea]:min-h-16"
            onChange={({ target }) => onAlt(target.value)}
          />
          <Below text={alt} max={limits.alt} />
        </div>
      )}
    </section>
  );
}

const accepts = acceptsOf([...pictureTypes, ...videoTypes]);

/** Nothing chosen yet: a press, a drop or a paste does it. */
function Choose({ onChoose }: { onChoose(file: File): void }) {
  const { t } = useText();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-col items-center gap-2 rounded-xl border border-dashed border-edge px-4 py-6 text-center">
      <Button onClick={() => picker.current?.click()}>
        <ImagePlus className="size-4" aria-hidden="true" />
        {t("composer.choose")}
      </Button>
      <p className="text-sm text-soft">
        {t("composer.chooseSays", {
          picture: limits.imageBytes / 2 ** 20,
          video: limits.videoBytes / 2 ** 20,
        })}
      </p>
      <Picker picker={picker} accept={accepts} label={t("composer.choose")} onChoose={onChoose} />
    </div>
  );
}

function Preview({ media, onChange }: { media: Media; onChange(media: Media): void }) {
  const { t, locale } = useText();
  const { file } = media;
  const address = useAddress(file);
  const video = useRef<HTMLVideoElement>(null);
  const [broken, setBroken] = useState(false);
  if (!file) return null;
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(file.size / 2 ** 20);
  const look = "max-h-96 w-full rounded-t-xl bg-sunken object-contain";
  const kind = kindOf(file);
  return (
    <div className="rounded-xl border bg-surface">
      {address && !broken && kind === "picture" && (
        <img src={address} alt={t("composer.preview")} className={look} onError={() => setBroken(true)} />
      )}
      {address && kind === "video" && (
        <video ref={video} src={address} controls muted playsInline className={look} />
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
