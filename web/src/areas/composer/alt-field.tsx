import { limits } from "@tandem/contract/limits";
import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { CharacterCounter } from "../../ui/counter.tsx";
import { TextArea } from "../../ui/field.tsx";
import { withAlt } from "./alt-texts.ts";

/** The description of a picture or video, next to its thumbnail. */
export function AltField({
  label,
  alt,
  onChange,
  error,
  readOnly,
  thumbnail,
  number = 1,
  details,
}: {
  /** By default that of an only picture. */
  label?: string;
  alt: string;
  onChange(alt: string): void;
  error: string | null;
  readOnly: boolean;
  thumbnail?: ReactNode;
  /** Which of several it is. The first explains what a description is. */
  number?: number;
  /** Shown below it. */
  details?: ReactNode;
}) {
  const { t } = useText();
  return (
    <div className="flex items-start gap-3">
      {thumbnail}
      <div className="min-w-0 flex-1">
        <TextArea
          label={label ?? t("composer.alt")}
          name="alt"
          hint={number === 1 ? t("composer.altHint") : undefined}
          error={error}
          value={alt}
          readOnly={readOnly}
          className="[&_textarea]:min-h-16"
          onChange={({ target }) => onChange(target.value)}
        />
        {details}
        <div className="text-end empty:hidden">
          <CharacterCounter text={alt} max={limits.alt} />
        </div>
      </div>
    </div>
  );
}

interface StoredProps {
  pictures: readonly { url: string; thumbnailUrl?: string | null | undefined }[];
  alts: readonly string[];
  onChange(alts: string[]): void;
  errors: readonly (string | null)[];
  readOnly: boolean;
}

/** The descriptions of the pictures of a post or draft that is on the server. */
export function StoredAltFields({ pictures, alts, onChange, errors, readOnly }: StoredProps) {
  const { t } = useText();
  const isAlone = pictures.length === 1;
  return (
    <ul className="flex flex-col gap-4">
      {pictures.map(({ url, thumbnailUrl }, i) => (
        <li key={url}>
          <AltField
            {...(!isAlone && { label: t("composer.altOf", { number: i + 1 }) })}
            number={i + 1}
            alt={alts[i] ?? ""}
            onChange={(alt) => onChange(withAlt(alts, i, alt))}
            error={errors[i] ?? null}
            readOnly={readOnly}
            thumbnail={<StoredThumbnail src={thumbnailUrl ?? url} alt={alts[i] ?? ""} />}
          />
        </li>
      ))}
    </ul>
  );
}

export const thumbnailClass = "size-24 shrink-0 rounded-lg bg-sunken object-cover sm:size-28";

/** The picture of a post or draft that is on the server, named by its description. */
function StoredThumbnail({ src, alt }: { src: string; alt: string }) {
  const { t } = useText();
  return <img src={src} alt={alt.trim() || t("composer.preview")} className={thumbnailClass} />;
}
