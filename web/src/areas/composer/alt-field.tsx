import { limits } from "@tandem/contract/limits";
import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { CharacterCounter } from "../../ui/counter.tsx";
import { TextArea } from "../../ui/field.tsx";

/** The description of a picture or video, next to its thumbnail. */
export function AltField({
  alt,
  onChange,
  error,
  readOnly,
  thumbnail,
}: {
  alt: string;
  onChange(alt: string): void;
  error: string | null;
  readOnly: boolean;
  thumbnail?: ReactNode;
}) {
  const { t } = useText();
  return (
    <div className="flex items-start gap-3">
      {thumbnail}
      <div className="min-w-0 flex-1">
        <TextArea
          label={t("composer.alt")}
          name="alt"
          hint={t("composer.altHint")}
          error={error}
          value={alt}
          readOnly={readOnly}
          className="[&_textarea]:min-h-16"
          onChange={({ target }) => onChange(target.value)}
        />
        <div className="text-end empty:hidden">
          <CharacterCounter text={alt} max={limits.alt} />
        </div>
      </div>
    </div>
  );
}

export const thumbnailClass = "size-24 shrink-0 rounded-lg bg-sunken object-cover sm:size-28";

/** The picture of a post or draft that is on the server, named by its description. */
export function StoredThumbnail({ src, alt }: { src: string | null; alt: string }) {
  const { t } = useText();
  return src && <img src={src} alt={alt.trim() || t("composer.preview")} className={thumbnailClass} />;
}
