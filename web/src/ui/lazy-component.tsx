import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";

interface LazyProps {
  /** Shown until the part is loaded, and where it can't be. */
  fallback?: ReactNode;
  /** Called when the part can't be loaded; the reader is told, and the next time tries again. */
  onClose?(): void;
}

/**
 * A part of a page that is loaded when it is first shown. The service draws only its fallback.
 *
 * This isn't `lazy` in a `Suspense`: once a fallback has been shown, React shows nothing that loads for 300 ms, so that every
 * page would stay without its handlers for that long.
 */
export function lazyComponent<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  return function LazyComponent({ fallback = null, ...rest }: P & LazyProps) {
    const { t } = useText();
    const { showError } = useToasts();
    const loadOnDemand = useLoadOnDemand();
    const [Part, setPart] = useState<ComponentType<P>>();
    const props = rest as P & LazyProps;
    const loadPart = useEffectEvent(() => loadOnDemand(load));
    const onLoadError = useEffectEvent(() => {
      if (!props.onClose) return;
      props.onClose();
      showError(t("error.unreachable"));
    });
    useEffect(() => {
      let unmounted = false;
      loadPart().then(
        (loaded) => !unmounted && setPart(() => loaded.default),
        () => !unmounted && onLoadError(),
      );
      return () => {
        unmounted = true;
      };
    }, []);
    return Part ? <Part {...props} /> : fallback;
  };
}
