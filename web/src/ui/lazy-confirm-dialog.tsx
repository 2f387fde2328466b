import type { ComponentProps } from "react";
import type { Confirm } from "./dialog.tsx";
import { lazyComponent } from "./lazy-component.tsx";

const Loaded = lazyComponent(async () => ({ default: (await import("./dialog.tsx")).Confirm }));

/** Asks before what can't be taken back; the window is loaded when there is something to ask. */
export function AskFirst(props: ComponentProps<typeof Confirm>) {
  return props.open && <Loaded {...props} />;
}
