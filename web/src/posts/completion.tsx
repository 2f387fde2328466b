import type { MentionHit, Tag } from "@tandem/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { mentionsQuery, tagsQuery } from "../data/completions.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { characterRect } from "./caret-rect.ts";
import { CompletionOption } from "./completion-option.tsx";
import { complete, type Token, tokenAt } from "./completion-token.ts";
import { apply } from "./markdown-edits.ts";

/** Milliseconds without typing before suggestions are requested. */
const PAUSE = 150;
/** Pixels between the list and the text, and between the list and the edge of the window. */
const GAP = 4;
const MARGIN = 8;
const WIDTH = 320;
/** From this width of the window on, the list is at the text instead of across the window. */
const WIDE = 640;

export type Completion = { name: string } & (
  | { kind: "mention"; account: MentionHit }
  | { kind: "tag"; tag: Tag }
);

/**
 * Suggests accounts and hashtags for the mention or hashtag that is being typed into the text area in `box`. The text area keeps
 * the focus and names the active option. The first account is chosen at once, since a mention needs
 * one; a hashtag may be a new one, so there the list waits for an arrow key.
 */
export default function Completions({ box }: { box: RefObject<HTMLElement | null> }) {
  const { t } = useText();
  const listId = useId();
  const [token, setToken] = useState<Token | null>(null);
  /** Where the token begins whose list was closed. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const options = useOptions(token);
  const isListed = token !== null && token.from !== closedAt && options.length > 0;
  const chosenIndex = options.findIndex(({ name }) => name === chosen);
  const activeIndex = chosenIndex >= 0 || token?.kind === "tag" ? chosenIndex : 0;
  const active = isListed ? options[activeIndex] : undefined;
  const activeId = active && `${listId}-${activeIndex}`;
  const field = () => box.current?.querySelector("textarea") ?? null;

  const update = useEffectEvent(() => {
    const current = tokenIn(field());
    if (current?.from !== token?.from) setClosedAt(null);
    if (current?.text !== token?.text || current?.kind !== token?.kind) setChosen(null);
    setToken(current);
  });
  const accept = (option: Completion) => {
    const area = field();
    const current = tokenIn(area);
    if (!area || !current) return;
    apply(area, complete(area.value, current, option.name));
    setToken(null);
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    // Keys that end a composition, such as of Japanese, are not ours.
    if (!isListed || isComposing || event.target !== field()) return;
    if (shiftKey || ctrlKey || metaKey || altKey) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      const from = activeIndex < 0 && step < 0 ? 0 : activeIndex;
      setChosen(options[(from + step + options.length) % options.length]?.name ?? null);
    } else if (key === "Escape") setClosedAt(token.from);
    else if ((key === "Enter" || key === "Tab") && active) accept(active);
    else return;
    event.preventDefault();
    // Or else a message would be sent, or a form closed.
    event.stopPropagation();
  });
  useEffect(() => {
    const area = box.current;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    const changed = () => update();
    update();
    area?.addEventListener("keydown", listener, { capture: true });
    for (const name of ["input", "focusin", "focusout"]) area?.addEventListener(name, changed);
    document.addEventListener("selectionchange", changed);
    return () => {
      area?.removeEventListener("keydown", listener, { capture: true });
      for (const name of ["input", "focusin", "focusout"]) area?.removeEventListener(name, changed);
      document.removeEventListener("selectionchange", changed);
    };
  }, [box]);
  useListAttributes(field, isListed ? listId : null, activeId);
  return (
    <>
      {isListed && (
        <Listbox
          id={listId}
          label={t(token.kind === "mention" ? "completion.mentions" : "completion.tags")}
          field={field()}
          from={token.from}
          count={options.length}
        >
          {options.map((option, index) => (
            <CompletionOption
              key={option.name}
              id={`${listId}-${index}`}
              option={option}
              isActive={option === active}
              onAccept={() => accept(option)}
            />
          ))}
        </Listbox>
      )}
      <p role="status" className="sr-only">
        {isListed && t("completion.count", { count: options.length })}
      </p>
    </>
  );
}

/** What is being typed, if the field has the focus and nothing is selected. */
function tokenIn(field: HTMLTextAreaElement | null): Token | null {
  if (!field || field !== document.activeElement || field.readOnly) return null;
  const { value, selectionStart, selectionEnd } = field;
  return selectionStart === selectionEnd ? tokenAt(value, selectionStart) : null;
}

/**
 * What to suggest, once its writer pauses. Each text has a query of its own and a request for an earlier one is aborted, so a
 * late response can't replace a newer one. Until the next response, what still matches of the last one stays.
 */
function useOptions(token: Token | null): Completion[] {
  const api = useApi();
  const [settled, setSettled] = useState(token);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(token), PAUSE);
    return () => clearTimeout(timer);
  }, [token]);
  // What was suggested for another mention, or a longer text, would be a part of what there is.
  const isSettled = settled !== null && token !== null && isLonger(token, settled);
  const q = isSettled ? settled.text : "";
  const enabled = (kind: Token["kind"]) => isSettled && settled.kind === kind;
  const mentions = useQuery({
    ...mentionsQuery(api, q),
    placeholderData: (last, query) => (isBefore(query, q) ? last : undefined),
    enabled: enabled("mention"),
  });
  const tags = useQuery({
    ...tagsQuery(api, q),
    placeholderData: (last, query) => (isBefore(query, q) ? last : undefined),
    enabled: enabled("tag"),
  });
  if (!isSettled) return [];
  const all: Completion[] =
    token.kind === "mention"
      ? (mentions.data ?? []).map((account) => ({ kind: "mention", name: account.username, account }))
      : (tags.data ?? []).map((tag) => ({ kind: "tag", name: tag.name, tag }));
  return all.filter((option) => matches(option, token.text));
}

/** Whether one is the same mention or hashtag as an earlier one, typed further. */
const isLonger = ({ kind, from, text }: Token, earlier: Token) =>
  kind === earlier.kind && from === earlier.from && startsWith(text, earlier.text);

const startsWith = (text: string, start: string) => text.toLowerCase().startsWith(start.toLowerCase());

/** Whether a query was for the beginning of a text. */
const isBefore = (query: { queryKey: readonly string[] } | undefined, text: string) =>
  query !== undefined && startsWith(text, query.queryKey.at(-1) ?? text);

function matches(option: Completion, text: string): boolean {
  const typed = text.toLowerCase();
  const named = option.kind === "mention" ? (option.account.displayName ?? "") : "";
  return option.name.toLowerCase().startsWith(typed) || ` ${named.toLowerCase()}`.includes(` ${typed}`);
}

/**
 * Connects the text area with the list, and tells screen readers which option is active. They are set on the element itself,
 * because its owner doesn't know them. A text area of several lines may not have the role `combobox` (ARIA in HTML), but its own
 * role, `textbox`, has these attributes; that the list is there is announced by the status.
 */
function useListAttributes(
  field: () => HTMLElement | null,
  listId: string | null,
  activeId: string | undefined,
) {
  const find = useEffectEvent(field);
  useEffect(() => {
    const element = find();
    if (!element || listId === null) return;
    const attributes = {
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      "aria-controls": listId,
    };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(attributes)) element.removeAttribute(name);
    };
  }, [listId]);
  useEffect(() => {
    const element = find();
    if (!element || activeId === undefined) return;
    element.setAttribute("aria-activedescendant", activeId);
    document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
    return () => element.removeAttribute("aria-activedescendant");
  }, [activeId]);
}

/** In the top layer, so that nothing cuts it off; below the text, or above it where an on-screen keyboard leaves no room. */
function Listbox({
  id,
  label,
  field,
  from,
  count,
  children,
}: {
  id: string;
  label: string;
  field: HTMLTextAreaElement | null;
  from: number;
  count: number;
  children: React.ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of options decides how high it is.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || !field) return;
    if (!element.matches(":popover-open")) element.showPopover();
    const update = () => place(element, characterRect(field, from));
    update();
    const viewport = window.visualViewport;
    addEventListener("scroll", update, { capture: true, passive: true });
    for (const name of ["resize", "scroll"]) viewport?.addEventListener(name, update);
    return () => {
      removeEventListener("scroll", update, { capture: true });
      for (const name of ["resize", "scroll"]) viewport?.removeEventListener(name, update);
    };
  }, [field, from, count]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      popover="manual"
      className="fixed inset-auto m-0 overflow-y-auto rounded-2xl border bg-raised p-1 text-ink shadow-raised"
    >
      {children}
    </div>
  );
}

/** Next to a character, within the part of the window that no keyboard covers. */
function place(list: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const viewport = window.visualViewport;
  // Without a scroll bar, and without the space that is kept for one, where nothing is drawn.
  const page = document.documentElement.getBoundingClientRect();
  const start = Math.max(viewport?.offsetLeft ?? 0, page.left);
  const width = Math.min(viewport?.width ?? innerWidth, page.width);
  const [ceiling, height] = [viewport?.offsetTop ?? 0, viewport?.height ?? innerHeight];
  const { style } = list;
  const ownWidth = width < WIDE ? width - 2 * MARGIN : WIDTH;
  const isRightToLeft = getComputedStyle(list).direction === "rtl";
  const wanted = width < WIDE ? start : isRightToLeft ? right - ownWidth : left;
  const leftmost = start + MARGIN;
  style.left = `${Math.max(leftmost, Math.min(wanted, start + width - ownWidth - MARGIN))}px`;
  style.width = `${ownWidth}px`;
  style.maxHeight = "none";
  const above = top - ceiling - GAP - MARGIN;
  const below = ceiling + height - bottom - GAP - MARGIN;
  const needed = list.scrollHeight + list.offsetHeight - list.clientHeight;
  const isBelow = needed <= below || below >= above;
  const shown = Math.max(0, Math.min(needed, isBelow ? below : above));
  style.maxHeight = `${shown}px`;
  style.top = `${isBelow ? bottom + GAP : top - GAP - shown}px`;
}
