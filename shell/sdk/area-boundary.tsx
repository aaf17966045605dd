import { Component, type ReactNode } from 'react';

interface AreaBoundaryProps {
  children: ReactNode;
  /** What stands in the area's place. */
  fallback: (error: unknown, retry: () => void) => ReactNode;
  onError?: (error: unknown) => void;
}

/** Keeps a broken area from breaking its neighbours. */
export class AreaBoundary extends Component<AreaBoundaryProps, { error: unknown; failed: boolean }> {
  override state = { error: null as unknown, failed: false };

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error);
  }

  readonly retry = () => this.setState({ error: null, failed: false });

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(this.state.error, this.retry) : this.props.children;
  }
}
