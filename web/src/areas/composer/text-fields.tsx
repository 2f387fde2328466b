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
  /** What is wrong with it, once somebody tried to send it. */
  problems: TextProblems;
  /** What the service said. */
  error: Error | null;
  /** While it is on its way: what was typed then wouldn't go along. */
  readOnly?: boolean;
  /** Whether it may lead somewhere. */
  hasLink?: boolean;
  /** What the page that it leads to says of itself, where that is known; false where none is shown. */
  linkCard?: LinkCard | null | false;
}

/** Title, text and link of a post. */
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

/** The counter of a field, beneath it. */
export function FieldCounter({ text, max }: { text: string; max: number }) {
  return (
    <div className="text-end empty:hidden">
      <CharacterCounter text={text} max={max} />
    </div>
  );
}
