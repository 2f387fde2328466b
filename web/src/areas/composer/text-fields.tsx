import { limits } from "@tandem/contract/limits";
import type { ReactNode } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { MarkdownEditor } from "../../posts/markdown-editor.tsx";
import { MarkdownText } from "../../posts/markdown-text.tsx";
import { CharacterCounter } from "../../ui/counter.tsx";
import { useField, useReadOnly } from "../../ui/field.tsx";
import { type PostText, sentText } from "./draft.ts";

export interface TextFieldsProps {
  text: PostText;
  onChange(words: Partial<PostText>): void;
  /** The error message at a field. */
  messageFor(field: keyof PostText): string | null;
  /** Set while sending, because later changes wouldn't be sent. */
  readOnly?: boolean;
}

/** A post's text, and below it its title. Without one, that field shows which words of the text, or of its content warning, become the title. */
export function TextFields(props: TextFieldsProps) {
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-3">
      <BodyField {...props} />
      <TitleField {...props} />
    </div>
  );
}

const inputClass =
  "w-full bg-transparent outline-none placeholder:font-normal placeholder:text-soft placeholder:opacity-100";

function BodyField({ text, onChange, messageFor, readOnly = false }: TextFieldsProps) {
  const { t } = useText();
  const { layout, control } = useField({
    label: t("composer.body"),
    name: "body",
    placeholder: t("composer.prompt"),
    value: text.body,
    readOnly: useReadOnly({ value: text.body, readOnly }),
    error: messageFor("body"),
  });
  return (
    <div>
      <label htmlFor={layout.id} className="sr-only">
        {layout.label}
      </label>
      <MarkdownEditor text={text.body} preview={titledPreview(text)}>
        <textarea
          {...control}
          onChange={({ target }) => onChange({ body: target.value })}
          className={`${inputClass} field-sizing-content block min-h-28 resize-none text-lg sm:min-h-36`}
        />
      </MarkdownEditor>
      <Below id={layout.id} error={layout.error}>
        <CharacterCounter text={text.body} max={limits.postBody} />
      </Below>
    </div>
  );
}

/** If the text's beginning becomes the title, it isn't Markdown in the post, either. */
function titledPreview(text: PostText): ReactNode {
  const { title, body } = sentText(text);
  if (text.title.trim() !== "" || body === text.body.trim()) return undefined;
  return (
    <>
      <p className="theirs mb-2 text-lg font-bold">{title}</p>
      {body !== null && <MarkdownText text={body} />}
    </>
  );
}

function TitleField({ text, onChange, messageFor, readOnly = false }: TextFieldsProps) {
  const { t } = useText();
  const derived = text.title.trim() === "" ? sentText(text).title : "";
  const isWarned = text.contentWarning.trim() !== "";
  const hint = titleHint(text.title.trim() !== "", derived !== "", isWarned);
  const { layout, control } = useField({
    label: t("composer.title"),
    name: "title",
    autoComplete: "off",
    hint: hint && t(hint),
    placeholder: derived === "" ? t("composer.optional") : derived,
    value: text.title,
    readOnly: useReadOnly({ value: text.title, readOnly }),
    error: messageFor("title"),
  });
  return (
    <div className="border-t pt-1">
      <div className="flex items-center gap-3">
        <label htmlFor={layout.id} className="text-sm font-semibold text-soft">
          {layout.label}
        </label>
        <input
          {...control}
          onChange={({ target }) => onChange({ title: target.value })}
          className={`${inputClass} min-h-11 min-w-0 flex-1 truncate font-semibold`}
        />
        {layout.hint && (
          <span id={`${layout.id}-hint`} className="shrink-0 text-sm text-soft">
            {layout.hint}
          </span>
        )}
      </div>
      <Below id={layout.id} error={layout.error}>
        <CharacterCounter text={text.title} max={limits.postTitle} />
      </Below>
    </div>
  );
}

/** Where the title comes from, or that a content warning doesn't hide it. */
function titleHint(isGiven: boolean, isDerived: boolean, isWarned: boolean) {
  if (isGiven) return isWarned ? "composer.titleVisible" : undefined;
  if (!isDerived) return undefined;
  return isWarned ? "composer.titleFromWarning" : "composer.titleDerived";
}

/** What is wrong with a field, and how many characters are left. */
function Below({
  id,
  error,
  children,
}: {
  id: string;
  error: string | null | undefined;
  children: ReactNode;
}) {
  return (
    <div className="flex items-baseline gap-3">
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      <span className="ms-auto">{children}</span>
    </div>
  );
}
