import type { ComponentProps } from "react";
import type { ConfirmDialog } from "./dialog.tsx";
import { lazyComponent } from "./lazy-component.tsx";

const ConfirmDialogPart = lazyComponent(async () => ({
  default: (await import("./dialog.tsx")).ConfirmDialog,
}));

/** A confirmation dialog that is loaded when it opens. */
export function LazyConfirmDialog(props: ComponentProps<typeof ConfirmDialog>) {
  return props.open && <ConfirmDialogPart {...props} />;
}
