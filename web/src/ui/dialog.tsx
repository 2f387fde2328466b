import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useText } from "../i18n/use-text.tsx";
import { Button, IconButton } from "./button.tsx";
import { DialogContext } from "./dialog-context.ts";

/** Where a dialog's focus begins: the chosen option of a group, or the first field. */
const fields = "input[type=radio]:checked, input:not([type=hidden], [type=file]), textarea, select";

/**
 * A modal dialog; at the bottom edge on phones. Focuses its first field, or without any its first button, which is that to cancel.
 * Traps focus, restores it on close, and closes on Escape.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
}: {
  open: boolean;
  onClose(): void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useText();
  const content = useRef<HTMLDivElement>(null);
  const first = (selector: string) =>
    [...(content.current?.querySelectorAll<HTMLElement>(selector) ?? [])].find(
      (element) => element.checkVisibility() && !element.matches(":disabled"),
    );
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40 transition data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          initialFocus={() => first(fields) ?? first("button, a[href]") ?? true}
          className="dialog fixed inset-x-0 bottom-0 z-50 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded-t-2xl border bg-raised p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-raised transition data-ending-style:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0 sm:inset-auto sm:top-[calc(50%-2.5rem)] sm:left-1/2 sm:max-h-[calc(100dvh-7rem)] sm:w-[min(32rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl"
        >
          <div className="mb-3 flex items-start justify-between gap-3">
            <Base.Title className="min-w-0 text-lg font-bold wrap-anywhere">{title}</Base.Title>
            <Base.Close render={<IconButton label={t("common.close")} className="-mt-2 -me-2" />}>
              <X className="size-5" aria-hidden="true" />
            </Base.Close>
          </div>
          {description && <Base.Description className="mb-4 text-soft">{description}</Base.Description>}
          <div ref={content}>
            <DialogContext value={true}>{children}</DialogContext>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Asks for confirmation before something that can't be undone, or that is harmless but unexpected. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  description,
  action,
  busy = false,
  isHarmless = false,
}: {
  open: boolean;
  onClose(): void;
  onConfirm(): void;
  title: string;
  description: ReactNode;
  action: string;
  busy?: boolean;
  isHarmless?: boolean;
}) {
  const { t } = useText();
  return (
    <Dialog open={open} onClose={onClose} title={title} description={description}>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button
          variant={isHarmless ? "primary" : "danger"}
          onClick={onConfirm}
          busy={busy}
          className="min-w-0 wrap-anywhere"
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
