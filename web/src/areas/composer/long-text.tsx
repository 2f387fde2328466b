import { useId, useState } from "react";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/** From how many characters on a text is shortened, and to how many. A shorter one isn't: that would save no more than a line or two. */
const [LONG, BEGINNING] = [800, 500];

/** A text as it was typed. Of a long one, the beginning, and a button that shows the rest. */
export function LongText({ text, className }: { text: string; className: string }) {
  const { t } = useText();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const characters = [...text];
  const isLong = characters.length > LONG;
  return (
    <div>
      <p id={id} className={`theirs whitespace-pre-line wrap-anywhere ${className}`}>
        {isLong && !isOpen ? `${characters.slice(0, BEGINNING).join("").trimEnd()}…` : text}
      </p>
      {isLong && (
        <Button size="small" className="mt-1" aria-describedby={id} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? "composer.showLess" : "composer.showAll")}
        </Button>
      )}
    </div>
  );
}
