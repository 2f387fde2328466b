import type { LinkCard } from "@tandem/contract/post-resources";
import { X } from "lucide-react";
import type { Ref } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { LinkField } from "../../ui/link-field.tsx";
import { LinkPreview } from "./link-preview.tsx";

/** A post's link, with its preview. */
export function LinkPart({
  ref,
  url,
  onChange,
  onRemove,
  card,
  readOnly,
  error,
}: {
  ref: Ref<HTMLInputElement>;
  url: string;
  onChange(url: string): void;
  onRemove(): void;
  /** False to show no preview. */
  card: LinkCard | null | false;
  readOnly: boolean;
  error: string | null;
}) {
  const { t } = useText();
  return (
    <div className="flex flex-col gap-2">
      <div className="relative">
        <LinkField
          ref={ref}
          label={t("composer.url")}
          name="url"
          placeholder="https://"
          className="[&_input]:pe-11"
          value={url}
          readOnly={readOnly}
          error={error}
          onValueChange={onChange}
        />
        <IconButton
          label={t("composer.removeLink")}
          className="absolute end-0.5 top-[1.5625rem]"
          disabled={readOnly}
          onClick={onRemove}
        >
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
      {card !== false && <LinkPreview url={url} card={card} />}
    </div>
  );
}
