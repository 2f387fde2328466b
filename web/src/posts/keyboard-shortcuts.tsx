import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useChoice } from "../data/choices.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { act, walk } from "./card-navigation.ts";

const KeysHelp = lazyComponent(() => import("./shortcuts-dialog.tsx"));

/** Letters as commands, unless the reader would rather not; what explains them is loaded when asked. */
export default function Keyboard() {
  const [keys] = useChoice("keys");
  const [help, setHelp] = useState(false);
  const navigate = useNavigate();
  const search = useEffectEvent(() => {
    const field = document.querySelector<HTMLElement>("input[type=search]");
    if (field) field.focus();
    else void navigate({ to: "/search" });
  });
  useEffect(
    () => (keys === "on" ? listen({ "?": () => setHelp(true), "/": () => search() }) : undefined),
    [keys],
  );
  return help && <KeysHelp onClose={() => setHelp(false)} />;
}

type Commands = Readonly<Record<string, () => void>>;

const onCards: Commands = {
  j: () => walk(1),
  k: () => walk(-1),
  l: () => act("like"),
  s: () => act("save"),
  o: () => act("open"),
  Enter: () => act("open"),
};

/** A card itself, and nothing in it, which has presses of its own. */
const isCard = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.dataset.post !== undefined;

/** Has letters be commands, as long as nothing else would take them: no field, no menu, no window. Gives back the end. */
function listen(everywhere: Commands): () => void {
  const commands = { ...onCards, ...everywhere };
  const end = new AbortController();
  const pressed = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || isTaken(target)) return;
    const command = commands[key];
    if (!command || (key === "Enter" && !isCard(target))) return;
    event.preventDefault();
    command();
  };
  addEventListener("keydown", pressed, { signal: end.signal });
  return () => end.abort();
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, video") !== null)
  );
}
