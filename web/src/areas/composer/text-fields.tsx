import { limits } from "@tandem/contract/limits";
import type { LinkCard } from "@tandem/contract/resources";
import { fieldErrorMessage } from "../../data/error-messages.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Counter } from "../../ui/counter.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { LinkField } from "../../ui/link-field.tsx";
import type { Words, Wrong } from "./draft.ts";
import { LinkPreview } from "./link-preview.tsx";

interface Props {
  words: Words;
  onChange(words: Partial<Words>): void;
  /** What is wrong with it, once somebody tried to send it. */
  wrong: Wrong;
  /** What the service said. */
  error: Error | null;
  /** While it is on its way: what was typed then wouldn't go along. */
  readOnly?: boolean;
  /** Whether it may lead somewhere. */
  linked?: boolean;
  /** What the page that it leads to says of itself, where that is known; false where none is shown. */
  card?: LinkCard | null | false;
}

/** Title, text and link of a post. */
export function WordsFields({
  words,
  onChange,
  wrong,
  error,
  readOnly = false,
  linked = true,
  card = null,
}: Props) {
  const { t } = useText();
  const says = (field: keyof Words) => {
    const key = wrong[field];
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
          value={words.title}
          readOnly={readOnly}
          error={says("title")}
          onChange={({ target }) => onChange({ title: target.value })}
        />
        <Below text={words.title} max={limits.postTitle} />
      </div>
      <div>
        <TextArea
          label={t("composer.body")}
          mark={t("composer.optional")}
          name="body"
          className="[&_textarea]:min-h-40"
          value={words.body}
          readOnly={readOnly}
          error={says("body")}
          onChange={({ target }) => onChange({ body: target.value })}
        />
        <Below text={words.body} max={limits.postBody} />
      </div>
      {linked && (
        <div className="flex flex-col gap-2">
          <LinkField
            label={t("composer.url")}
            mark={t("composer.optional")}
            name="url"
            placeholder="https://"
            value={words.url}
            readOnly={readOnly}
            error={says("url")}
            onText={(url) => onChange({ url })}
          />
          {card !== false && <LinkPreview url={words.url} card={card} />}
        </div>
      )}
    </>
  );
}

/** The counter of a field, beneath it. */
export function Below({ text, max }: { text: string; max: number }) {
  return (
    <div className="text-end empty:hidden">
      <Counter text={text} max={max} />
    </div>
  );
}
