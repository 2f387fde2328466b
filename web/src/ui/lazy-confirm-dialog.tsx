import type { ComponentProps } from "react";
import type { ConfirmDialog } from "./dialog.tsx";
import { lazyComponent } from "./lazy-component.tsx";

const ConfirmDialogPart = lazyComponent(async () => ({
  default: (await import("./dialog.tsx")).ConfirmDialog,
}));

/** Asks before what can't be taken back; the window is loaded when there is something to ask. */
export function LazyConfirmDialog(props: ComponentProps<typeof ConfirmDialog>) {
  return props.open && <ConfirmDialogPart {...props} />;
}
