import { createContext, type ReactNode, use } from "react";

export interface ToastActions {
  /**
   * Shows a message. With `undo`, the toast offers to undo; `onClose` is called once that is no longer
   * possible.
   */
  show(text: string, undo?: () => void, onClose?: () => void): void;
  /** Shows a message with a button, which opens a dialog. The dialog stays when the reader goes to another page. */
  offer(text: string, label: string, dialog: (close: () => void) => ReactNode): void;
  /** Shows an error. */
  showError(text: string): void;
}

/** Without a provider, nothing is shown. */
export const ToastContext = createContext<ToastActions>({
  show: () => {},
  offer: () => {},
  showError: () => {},
});

export const useToasts = (): ToastActions => use(ToastContext);
