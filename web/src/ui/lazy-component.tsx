import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";

interface LazyProps {
  /** Shown until the component is loaded, or if it can't be. */
  fallback?: ReactNode;
  /**
   * Called if the component can't be loaded, after which the reader sees an error. The next attempt tries
   * again.
   */
  onClose?(): void;
}

/**
 * A component that is loaded when it is first shown. The server renders only its fallback. This isn't `lazy`
 * in a `Suspense`: after showing a fallback, React delays everything that is loading by 300 ms, so every page
 * would stay without event handlers for that long.
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
