import { Component, type ReactNode } from 'react';
import type { FaultPlace } from './report';
import { getSdk, type Sdk, SdkContext } from './sdk';

/** The way on after a failure, as `TabErrorPanel` takes it: the same for a file that did not load, a part, and a component that threw. */
export interface Again {
  onRetry: () => void;
  /** It failed once more after a retry: the whole page is what is left to load. */
  reload: boolean;
}

type AreaBoundaryProps = {
  children: ReactNode;
  /** Shown in the area's place; nothing where it is left out. */
  fallback?: (again: Again) => ReactNode;
} & (
  | {
      /** Where it stands: the error is reported with it. */
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

/** The one error boundary: a broken area does not break its neighbours, and the error is reported. */
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
