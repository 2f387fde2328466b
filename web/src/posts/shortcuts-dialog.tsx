import { useChoice } from "../data/choices.ts";
import { useText } from "../i18n/use-text.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/field.tsx";

const shortcuts = [
  ["j", "card.keys.next"],
  ["k", "card.keys.previous"],
  ["l", "card.keys.like"],
  ["s", "card.keys.save"],
  ["o", "card.keys.open"],
  ["Enter", "card.keys.open"],
  ["/", "card.keys.search"],
  ["?", "card.keys.help"],
] as const;

/** Lists the keyboard shortcuts, with a switch to turn them off. */
export default function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { t } = useText();
  return (
    <Dialog open onClose={onClose} title={t("card.keys")}>
      <ShortcutList />
      <ShortcutsToggle />
    </Dialog>
  );
}

export function ShortcutList() {
  const { t } = useText();
  return (
    <dl className="mb-4 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
      {shortcuts.map(([key, text]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="inline-grid min-w-8 place-items-center rounded-md border border-edge bg-surface px-2 py-0.5 font-sans text-sm font-semibold">
              {key}
            </kbd>
          </dt>
          <dd>{t(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function ShortcutsToggle() {
  const { t } = useText();
  const [shortcuts, setChoice] = useChoice("keys");
  return (
    <Checkbox
      label={t("card.keys.enabled")}
      hint={t("card.keys.enabledHint")}
      checked={shortcuts === "on"}
      onChange={(event) => setChoice(event.target.checked ? "on" : "off")}
    />
  );
}
