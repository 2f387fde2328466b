import { lazyComponent } from "../ui/lazy-component.tsx";

/** The moderation dialog, which is loaded when it opens. */
export const LazyModerationDialog = lazyComponent(() => import("./moderation-dialog.tsx"));
