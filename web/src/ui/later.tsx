import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { usePressed } from "../i18n/use-pressed.ts";
import { useText } from "../i18n/use-text.tsx";
import { useAlive } from "./alive.ts";
import { useToasts } from "./toast.tsx";

interface Asked {
  /** What stands there until it is loaded, and where it can't be. */
  fallback?: ReactNode;
  /** Who asked for it is told that it didn't come, and asks again. */
  onClose?(): void;
}

/**
 * A part of a page that is loaded when it is first drawn. Without a network it doesn't come, and nothing else goes for that;
 * the next time tries again.
 */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  return function Later({ fallback = null, ...rest }: P & Asked) {
    const { t } = useText();
    const { fail } = useToasts();
    const pressed = usePressed();
    const alive = useAlive();
    const [Part] = useState(() => lazy(() => pressed(load)));
    const props = rest as P & Asked;
    const lost = () => {
      if (!props.onClose) return;
      props.onClose();
      fail(t("error.unreachable"));
    };
    // The service draws none: what it can't finish the browser would have to begin anew.
    if (!alive) return fallback;
    return (
      <Guard fallback={fallback} onLost={lost}>
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </Guard>
    );
  };
}

class Guard extends Component<
  { fallback: ReactNode; onLost(): void; children: ReactNode },
  { lost: boolean }
> {
  override state = { lost: false };

  static getDerivedStateFromError = () => ({ lost: true });

  override componentDidCatch(): void {
    this.props.onLost();
  }

  override render(): ReactNode {
    return this.state.lost ? this.props.fallback : this.props.children;
  }
}
