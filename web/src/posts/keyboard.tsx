import { useEffect, useState } from "react";
import { useChoice } from "../data/choices.ts";
import { later } from "../ui/later.tsx";
import { act, walk } from "./cards.ts";

const KeysHelp = later(() => import("./keys-help.tsx"));

/** Letters as commands, unless the reader would rather not; what explains them is loaded when asked. */
export default function Keyboard() {
  const [keys] = useChoice("keys");
  const [help, setHelp] = useState(false);
  useEffect(() => (keys === "on" ? listen(() => setHelp(true)) : undefined), [keys]);
  return help && <KeysHelp onClose={() => setHelp(false)} />;
}

const commands: Record<string, () => void> = {
  j: () => walk(1),
  k: () => walk(-1),
  l: () => act("like"),
  s: () => act("save"),
  o: () => act("open"),
};

/** Has letters be commands, as long as nothing else would take them: no field, no menu, no window. Gives back the end. */
function listen(onHelp: () => void): () => void {
  const end = new AbortController();
  const pressed = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || isTaken(target)) return;
    const command = key === "?" ? onHelp : commands[key];
    if (!command) return;
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
