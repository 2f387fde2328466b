import { limits } from "@tandem/contract/limits";
import { X } from "lucide-react";
import type { Ref } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { IconButton } from "../../ui/button.tsx";
import { CharacterCounter } from "../../ui/counter.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import type { PostText } from "./draft.ts";

/** A post's content warning, and whether its media are sensitive. */
export function WarningPart({
  ref,
  text: { contentWarning, sensitive },
  onChange,
  onRemove,
  readOnly,
  error,
}: {
  ref: Ref<HTMLInputElement>;
  text: PostText;
  onChange(changes: Partial<PostText>): void;
  onRemove(): void;
  readOnly: boolean;
  error: string | null;
}) {
  const { t } = useText();
  return (
    <div className="flex flex-col gap-3 rounded-xl border p-3">
      <div className="relative">
        <TextField
          ref={ref}
          label={t("composer.warning")}
          name="contentWarning"
          autoComplete="off"
          hint={t("composer.warningHint")}
          className="[&_input]:pe-11"
          value={contentWarning}
          readOnly={readOnly}
          error={error}
          onValueChange={(value) => onChange({ contentWarning: value })}
        />
        <IconButton
          label={t("composer.removeWarning")}
          className="absolute end-0.5 top-[1.5625rem]"
          disabled={readOnly}
          onClick={onRemove}
        >
          <X className="size-4" aria-hidden="true" />
        </IconButton>
        <div className="text-end empty:hidden">
          <CharacterCounter text={contentWarning} max={limits.contentWarning} />
        </div>
      </div>
      <Checkbox
        label={t("composer.sensitive")}
        hint={t("composer.sensitiveHint")}
        checked={sensitive}
        disabled={readOnly}
        onChange={({ target }) => onChange({ sensitive: target.checked })}
      />
    </div>
  );
}
