import { Component, type ReactNode } from 'react';
import type { FaultPlace } from './report';
import { getSdk, type Sdk, SdkContext } from './sdk';

/** Recovery options after a failure, as props of `TabErrorPanel`; the same for files, parts and components. */
export interface Again {
  onRetry: () => void;
  /** True when a retry has failed, so only a reload of the page is left. */
  reload: boolean;
}

type AreaBoundaryProps = {
  children: ReactNode;
  /** Rendered in place of the failed area; nothing when omitted. */
  fallback?: (again: Again) => ReactNode;
} & (
  | {
      /** Place of the area; errors are reported with it. */
      place: FaultPlace;
      onError?: ((error: unknown) => void) | undefined;
    }
  | {
      place?: undefined;
      /** Reports the error itself. */
      onError: (error: unknown) => void;
    }
);

interface AreaState {
  failed: boolean;
  retried: boolean;
}

/** The only error boundary: it keeps an error within its area and reports it. */
export class AreaBoundary extends Component<AreaBoundaryProps, AreaState> {
  static override contextType = SdkContext;
  override state: AreaState = { failed: false, retried: false };

  static getDerivedStateFromError(): Partial<AreaState> {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    const { onError, place } = this.props;
    if (place) ((this.context as Sdk | null) ?? getSdk()).report(error, place);
    onError?.(error);
  }

  readonly retry = () => this.setState({ failed: false, retried: true });

  override render(): ReactNode {
    const { children, fallback } = this.props;
    const { failed, retried } = this.state;
    return failed ? fallback?.({ onRetry: this.retry, reload: retried }) : children;
  }
}
