import { limits } from "@tandem/contract/limits";
import type { LinkCard } from "@tandem/contract/post-resources";
import { useText } from "../../i18n/use-text.tsx";
import { CharacterCounter } from "../../ui/counter.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { LinkField } from "../../ui/link-field.tsx";
import type { PostText } from "./draft.ts";
import { LinkPreview } from "./link-preview.tsx";

interface Props {
  text: PostText;
  onChange(words: Partial<PostText>): void;
  /** The error message at a field. */
  messageFor(field: keyof PostText): string | null;
  /** Set while sending, because later changes wouldn't be sent. */
  readOnly?: boolean;
  /** Whether the post can have a link. */
  hasLink?: boolean;
  /** The link's preview, if known; false to show none. */
  linkCard?: LinkCard | null | false;
}

/** A post's title, body and link. */
export function TextFields({
  text,
  onChange,
  messageFor,
  readOnly = false,
  hasLink = true,
  linkCard = null,
}: Props) {
  const { t } = useText();
  return (
    <>
      <div>
        <Field
          label={t("composer.title")}
          name="title"
          required
          autoComplete="off"
          value={text.title}
          readOnly={readOnly}
          error={messageFor("title")}
          onChange={({ target }) => onChange({ title: target.value })}
        />
        <FieldCounter text={text.title} max={limits.postTitle} />
      </div>
      <div>
        <TextArea
          label={t("composer.body")}
          labelNote={t("composer.optional")}
          name="body"
          className="[&_textarea]:min-h-40"
          value={text.body}
          readOnly={readOnly}
          error={messageFor("body")}
          onChange={({ target }) => onChange({ body: target.value })}
        />
        <FieldCounter text={text.body} max={limits.postBody} />
      </div>
      {hasLink && (
        <div className="flex flex-col gap-2">
          <LinkField
            label={t("composer.url")}
            labelNote={t("composer.optional")}
            name="url"
            placeholder="https://"
            value={text.url}
            readOnly={readOnly}
            error={messageFor("url")}
            onValueChange={(url) => onChange({ url })}
          />
          {linkCard !== false && <LinkPreview url={text.url} card={linkCard} />}
        </div>
      )}
    </>
  );
}

/** The description of a picture or video. */
export function AltField({
  alt,
  onChange,
  error,
  readOnly,
}: {
  alt: string;
  onChange(alt: string): void;
  error: string | null;
  readOnly: boolean;
}) {
  const { t } = useText();
  return (
    <div>
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
      <FieldCounter text={alt} max={limits.alt} />
    </div>
  );
}

/** A character counter below a field. */
function FieldCounter({ text, max }: { text: string; max: number }) {
  return (
    <div className="text-end empty:hidden">
      <CharacterCounter text={text} max={max} />
    </div>
  );
}
