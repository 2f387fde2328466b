import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type ToastActions, ToastContext } from "../data/toasts.ts";
import { useText } from "../i18n/use-text.tsx";

interface Toast {
  id: number;
  text: string;
  /** What its button does and says: it reverts the action, unless it says something else. */
  action?: { run(): void; label?: string };
  /** Called when the toast closes without its button. */
  onClose?: () => void;
  isError: boolean;
}

/** Milliseconds that a toast stays: long enough to read it and to click its button. */
const DURATION = 6_000;

/**
 * Shows toasts at the bottom edge. They are announced by screen readers, stay while hovered or focused, and
 * close on Escape. Next to a dialog, which leaves room for one, only the latest is shown: at the top on phones, where dialogs are at
 * the bottom.
 */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [dialog, setDialog] = useState<ReactNode>(null);
  const next = useRef(0);
  const add = useCallback((toast: Omit<Toast, "id">) => {
    const id = ++next.current;
    setToasts((shown) => [...shown.filter(({ text }) => text !== toast.text).slice(-2), { ...toast, id }]);
  }, []);
  const remove = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  const actions = useMemo<ToastActions>(
    () => ({
      show: (text, undo, onClose) =>
        add({
          ...{ text, isError: false },
          ...(undo && { action: { run: undo } }),
          ...(onClose && { onClose }),
        }),
      offer: (text, label, dialogOf) => {
        const before = document.activeElement;
        const close = () => {
          setDialog(null);
          returnFocus(before);
        };
        add({ text, isError: false, action: { label, run: () => setDialog(dialogOf(close)) } });
      },
      showError: (text) => add({ text, isError: true }),
    }),
    [add],
  );
  return (
    <ToastContext value={actions}>
      {children}
      {dialog}
      <div
        role="status"
        aria-live="polite"
        className="toasts pointer-events-none fixed inset-x-0 z-60 flex flex-col items-center gap-2 px-4"
      >
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onRemove={remove} />
        ))}
      </div>
    </ToastContext>
  );
}

/** Focuses what had the focus before a toast, whose button, now gone, opened a dialog. */
function returnFocus(before: Element | null): void {
  if (before instanceof HTMLElement) setTimeout(() => before.focus());
}

function ToastItem({ toast, onRemove }: { toast: Toast; onRemove(id: number): void }) {
  const { t } = useText();
  const { id, text, action, isError } = toast;
  const [paused, setPaused] = useState(false);
  const onClose = useRef(toast.onClose);
  useEffect(() => () => onClose.current?.(), []);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => onRemove(id), DURATION);
    return () => clearTimeout(timer);
  }, [paused, id, onRemove]);
  return (
    <fieldset
      className={`toast pointer-events-auto flex max-w-md animate-[appear_0.15s] items-center gap-3 rounded-xl px-4 py-3 text-sm shadow-raised ${isError ? "bg-danger-soft text-danger" : "bg-ink text-ground"}`}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      onKeyDown={(event) => event.key === "Escape" && onRemove(id)}
    >
      <span>{text}</span>
      {action && (
        <button
          type="button"
          className="rounded px-1 font-bold underline"
          onClick={() => {
            onClose.current = undefined;
            action.run();
            onRemove(id);
          }}
        >
          {action.label ?? t("common.undo")}
        </button>
      )}
    </fieldset>
  );
}
