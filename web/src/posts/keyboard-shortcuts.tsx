import { useEffect, useEffectEvent, useState } from "react";
import { useChoice } from "../data/choices.ts";
import { useNavigate } from "../router/provider.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { clickCardAction, moveFocus } from "./card-navigation.ts";

const ShortcutsDialog = lazyComponent(() => import("./shortcuts-dialog.tsx"));

/** Keyboard shortcuts for posts, unless the reader has turned them off. */
export default function KeyboardShortcuts() {
  const [keys] = useChoice("keys");
  const [isHelpOpen, setHelpOpen] = useState(false);
  const navigate = useNavigate();
  const focusSearch = useEffectEvent(() => {
    const field = document.querySelector<HTMLElement>("input[type=search]");
    if (field) field.focus();
    else void navigate({ to: "/search" });
  });
  useEffect(
    () =>
      keys === "on" ? listenForKeys({ "?": () => setHelpOpen(true), "/": () => focusSearch() }) : undefined,
    [keys],
  );
  return isHelpOpen && <ShortcutsDialog onClose={() => setHelpOpen(false)} />;
}

type Commands = Readonly<Record<string, () => void>>;

const cardCommands: Commands = {
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  l: () => clickCardAction("like"),
  s: () => clickCardAction("save"),
  o: () => clickCardAction("open"),
  Enter: () => clickCardAction("open"),
};

/** Enter opens only a focused card itself, because controls inside it handle the key themselves. */
const isCard = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.dataset.post !== undefined;

/** Handles shortcuts unless a field, menu or dialog is in use. Returns a function that stops this. */
function listenForKeys(globalCommands: Commands): () => void {
  const commands = { ...cardCommands, ...globalCommands };
  const controller = new AbortController();
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || isHandledElsewhere(target)) return;
    const command = commands[key];
    if (!command || (key === "Enter" && !isCard(target))) return;
    event.preventDefault();
    command();
  };
  addEventListener("keydown", onKeyDown, { signal: controller.signal });
  return () => controller.abort();
}

function isHandledElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, video") !== null)
  );
}
