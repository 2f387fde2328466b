import { Component, type ComponentType, type ReactNode } from "react";
import type { View } from "./router.ts";

export interface ErrorViewProps {
  error: unknown;
  /** Renders again what failed. */
  reset?(): void;
}

interface Props {
  /** Another view gets another chance. */
  view: View;
  Fallback: ComponentType<ErrorViewProps>;
  children: ReactNode;
}

/** Shows an error in place of its children if they throw one while rendering. */
export class ErrorBoundary extends Component<Props, { failure: { error: unknown } | null }> {
  override state: { failure: { error: unknown } | null } = { failure: null };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentDidUpdate({ view }: Props) {
    if (this.state.failure && view !== this.props.view) this.setState({ failure: null });
  }

  override render() {
    const { failure } = this.state;
    const { Fallback, children } = this.props;
    if (!failure) return children;
    return <Fallback error={failure.error} reset={() => this.setState({ failure: null })} />;
  }
}
