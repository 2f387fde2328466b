import { limits } from "@tandem/contract/limits";
import type { LinkCard } from "@tandem/contract/resources";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { CharacterCounter } from "../../ui/counter.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { LinkField } from "../../ui/link-field.tsx";
import type { PostText, TextProblems } from "./draft.ts";
import { LinkPreview } from "./link-preview.tsx";

interface Props {
  text: PostText;
  onChange(words: Partial<PostText>): void;
  /** Validation problems, once the reader has tried to send. */
  problems: TextProblems;
  /** The API's error. */
  error: Error | null;
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
  problems,
  error,
  readOnly = false,
  hasLink = true,
  linkCard = null,
}: Props) {
  const { t } = useText();
  const messageFor = (field: keyof PostText) => {
    const key = problems[field];
    return key ? t(key) : fieldErrorMessage(field, error, t);
  };
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

/** A character counter below a field. */
export function FieldCounter({ text, max }: { text: string; max: number }) {
  return (
    <div className="text-end empty:hidden">
      <CharacterCounter text={text} max={max} />
    </div>
  );
}
