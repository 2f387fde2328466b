import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/** Text to take along, with a button that copies it. */
export function Copied({ text, label, secret = false }: { text: string; label: string; secret?: boolean }) {
  const { t } = useText();
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
  };
  return (
    <div className="overflow-hidden rounded-xl border border-edge/40 bg-sunken">
      <div className="flex items-center justify-between gap-2 border-b border-edge/40 ps-3 pe-1">
        <span className="text-xs font-semibold text-soft">{label}</span>
        <Button look="quiet" size="small" onClick={copy}>
          {done ? (
            <Check className="size-4" aria-hidden="true" />
          ) : (
            <Copy className="size-4" aria-hidden="true" />
          )}
          <span aria-live="polite">{t(done ? "agents.copied" : "agents.copy")}</span>
        </Button>
      </div>
      <pre
        className={`p-3 text-sm break-words whitespace-pre-wrap ${secret ? "font-semibold break-all" : ""}`}
      >
        <code>{text}</code>
      </pre>
    </div>
  );
}
