import { Bold, Code, Eye, Italic, Link2, List, type LucideIcon, Pencil, TextQuote } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { TextKey } from "../i18n/keys.ts";
import { useText } from "../i18n/use-text.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { apply, code, type Edit, link, nextItem, prefix, type Selected, wrap } from "./markdown-edits.ts";
import { InlineText } from "./markdown-inlines.tsx";
import { MarkdownText } from "./markdown-text.tsx";

const Completions = lazyComponent(() => import("./completion.tsx"));

interface Tool {
  name: TextKey;
  /** Pressed together with Ctrl, or Cmd on a Mac. */
  key?: string;
  Icon: LucideIcon;
  edit(selected: Selected): Edit;
  /** Whether it makes lines or blocks, which bios don't have. */
  isBlock?: boolean;
}

const tools: readonly Tool[] = [
  { name: "markdown.bold", key: "b", Icon: Bold, edit: (selected) => wrap(selected, "**") },
  { name: "markdown.italic", key: "i", Icon: Italic, edit: (selected) => wrap(selected, "*") },
  { name: "markdown.link", key: "k", Icon: Link2, edit: link },
  { name: "markdown.code", key: "e", Icon: Code, edit: code },
  { name: "markdown.list", Icon: List, edit: (selected) => prefix(selected, "- "), isBlock: true },
  { name: "markdown.quote", Icon: TextQuote, edit: (selected) => prefix(selected, "> "), isBlock: true },
];

/**
 * A field for Markdown, with buttons and shortcuts that format the selected text, suggestions for mentions and hashtags, and a preview. `children` has the text area.
 * The buttons come before it, so that the next stop of the Tab key is what sends the text.
 */
export function MarkdownEditor({
  text,
  preview,
  isBio = false,
  showsTools = true,
  children,
}: {
  text: string;
  /** What the preview shows, if that isn't the text as Markdown. */
  preview?: ReactNode;
  isBio?: boolean;
  /** Whether the buttons are there. They mustn't go when the field loses the focus, or what was pressed would move. */
  showsTools?: boolean;
  children: ReactNode;
}) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  const [isPreview, setPreview] = usePreview(box, text);
  const [mayComplete, setMayComplete] = useState(false);
  const shown = tools.filter(({ isBlock }) => !isBio || !isBlock);
  const use = ({ edit }: Tool) => {
    const field = box.current?.querySelector("textarea");
    if (!field || field.readOnly || isPreview) return;
    const { value, selectionStart: start, selectionEnd: end } = field;
    apply(field, edit({ value, start, end }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (key === "Enter" && !(ctrlKey || metaKey || altKey || shiftKey || isBio)) return continueList(event);
    if (ctrlKey === metaKey || altKey || shiftKey || !(target instanceof HTMLTextAreaElement)) return;
    const tool = shown.find((one) => one.key === key.toLowerCase());
    if (!tool) return;
    event.preventDefault();
    use(tool);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the shortcuts of the text area in it.
    <div
      ref={box}
      onKeyDown={onKeyDown}
      onInput={({ target }) => {
        if (target instanceof HTMLTextAreaElement && /[@#]/.test(target.value)) setMayComplete(true);
      }}
      className="flex min-w-0 flex-1 flex-col gap-1"
    >
      <fieldset
        aria-label={t("markdown.tools")}
        hidden={!showsTools}
        className={
          showsTools ? `flex flex-wrap items-center gap-0.5 ${isBio ? besideLabel(isPreview) : ""}` : ""
        }
      >
        {shown.map((tool) => (
          <ToolButton key={tool.name} tool={tool} isDisabled={isPreview} onUse={() => use(tool)} />
        ))}
        <button
          type="button"
          aria-pressed={isPreview}
          disabled={text.trim() === ""}
          onClick={() => setPreview(!isPreview)}
          className="ms-auto inline-flex min-h-9 items-center gap-1.5 rounded-full px-3 text-sm font-medium text-soft hover:bg-sunken hover:text-ink disabled:opacity-50 aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          {isPreview ? (
            <Pencil className="size-4" aria-hidden="true" />
          ) : (
            <Eye className="size-4" aria-hidden="true" />
          )}
          <span className="max-sm:sr-only">{t("markdown.preview")}</span>
        </button>
      </fieldset>
      <div hidden={isPreview}>{children}</div>
      {mayComplete && <Completions box={box} />}
      {isPreview && (
        <section aria-label={t("markdown.preview")} className="min-h-24 rounded-xl bg-ground px-3 py-2">
          {preview ?? (isBio ? <InlineText text={text} /> : <MarkdownText text={text} />)}
        </section>
      )}
    </div>
  );
}

/** The buttons of a field with a visible label are at the end of the label's line, and alone while the preview hides it. */
const besideLabel = (isPreview: boolean) => `relative z-1 ms-auto w-fit ${isPreview ? "" : "-mb-8"}`;

/** Enter begins the next item of a list, unless it does something else: end a composition, or take a suggestion. */
function continueList(event: KeyboardEvent): void {
  const { target: field, nativeEvent } = event;
  if (!(field instanceof HTMLTextAreaElement) || event.defaultPrevented || nativeEvent.isComposing) return;
  const { value, selectionStart: start, selectionEnd: end } = field;
  const edit = field.readOnly ? null : nextItem({ value, start, end });
  if (!edit) return;
  event.preventDefault();
  apply(field, edit);
}

/** Ends when the form is sent, or else its errors would be next to a hidden field, and when the text is gone. */
function usePreview(box: { current: HTMLElement | null }, text: string) {
  const [isPreview, setPreview] = useState(false);
  const isShown = isPreview && text.trim() !== "";
  useEffect(() => {
    const form = isShown ? box.current?.closest("form") : null;
    if (!form) return;
    const end = () => setPreview(false);
    form.addEventListener("submit", end, { capture: true });
    return () => form.removeEventListener("submit", end, { capture: true });
  }, [isShown, box]);
  return [isShown, setPreview] as const;
}

function ToolButton({
  tool: { name, key, Icon },
  isDisabled,
  onUse,
}: {
  tool: Tool;
  isDisabled: boolean;
  onUse(): void;
}) {
  const { t } = useText();
  const label = t(name);
  return (
    <button
      type="button"
      aria-label={label}
      title={key ? `${label} (${t("markdown.shortcut", { key: key.toUpperCase() })})` : label}
      {...(key && { "aria-keyshortcuts": `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}` })}
      disabled={isDisabled}
      // The text stays selected.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onUse}
      className="inline-grid size-9 place-items-center rounded-full text-soft transition hover:bg-sunken hover:text-ink disabled:opacity-50"
    >
      <Icon className="size-4" aria-hidden="true" />
    </button>
  );
}
