import { createContext, use } from "react";

export interface ToastActions {
  /**
   * Shows a message. With `undo`, the toast offers to undo; `onClose` is called once that is no longer
   * possible.
   */
  show(text: string, undo?: () => void, onClose?: () => void): void;
  /** Shows an error. */
  showError(text: string): void;
}

/** Without a provider, nothing is shown. */
export const ToastContext = createContext<ToastActions>({ show: () => {}, showError: () => {} });

export const useToasts = (): ToastActions => use(ToastContext);
