import { createContext, use } from "react";

export interface ToastActions {
  /** Shows what happened. With `undo`, the toast offers to undo it; `gone` is called once that is no longer possible. */
  tell(text: string, undo?: () => void, gone?: () => void): void;
  /** Shows an error. */
  fail(text: string): void;
}

/** Without a provider, nothing is shown. */
export const ToastContext = createContext<ToastActions>({ tell: () => {}, fail: () => {} });

export const useToasts = (): ToastActions => use(ToastContext);
