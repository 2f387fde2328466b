import { type ComponentProps, lazy, Suspense } from "react";
import type { Confirm } from "./dialog.tsx";

const Loaded = lazy(() => import("./dialog.tsx").then((dialogs) => ({ default: dialogs.Confirm })));

/** Asks before what can't be taken back; the window is loaded when there is something to ask. */
export function AskFirst(props: ComponentProps<typeof Confirm>) {
  return (
    props.open && (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  );
}
