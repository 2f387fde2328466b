import { useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { thumbnailClass } from "./alt-field.tsx";
import type { Media } from "./media-selection.ts";

export interface SelectedProps {
  media: Media;
  /** The descriptions of the pictures, in their order, or of the video. */
  alts: readonly string[];
  onChange(media: Media, alts: string[]): void;
  altErrors: readonly (string | null)[];
  readOnly: boolean;
  /** Shown below the files. */
  note: string;
}

/** A file's name and size. */
export function FileName({ file }: { file: File }) {
  const { locale } = useText();
  return (
    <p className="theirs-line block">
      {file.name} <span className="text-soft">{sizeText(file.size, locale)}</span>
    </p>
  );
}

function sizeText(bytes: number, locale: string): string {
  const [unit, base] = bytes < 2 ** 20 ? (["kilobyte", 2 ** 10] as const) : (["megabyte", 2 ** 20] as const);
  const maximumFractionDigits = unit === "megabyte" ? 1 : 0;
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits }).format(bytes / base);
}

/** The picture, named by its description. Not all browsers can show HEIC. */
export function Thumbnail({ address, alt }: { address: string | null; alt: string }) {
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
