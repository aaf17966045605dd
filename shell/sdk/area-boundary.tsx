import { Component, type ReactNode } from 'react';
import type { FaultPlace } from './report';
import { getSdk, type Sdk, SdkContext } from './sdk';

interface AreaBoundaryProps {
  children: ReactNode;
  /** Where it stands, for those who are told of its faults. */
  place?: FaultPlace | undefined;
  /** What stands in the area's place. `again`: it failed once more after a retry, and a reload is what is left to try. */
  fallback: (error: unknown, retry: () => void, again: boolean) => ReactNode;
  /** Takes the telling of the fault upon itself. */
  onError?: ((error: unknown) => void) | undefined;
}

interface AreaState {
  error: unknown;
  failed: boolean;
  retried: boolean;
}

/** Keeps a broken area from breaking its neighbours, and tells of the fault. */
export class AreaBoundary extends Component<AreaBoundaryProps, AreaState> {
  static override contextType = SdkContext;
  override state: AreaState = { error: null, failed: false, retried: false };

  static getDerivedStateFromError(error: unknown): Partial<AreaState> {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown): void {
    const { onError, place } = this.props;
    if (onError) onError(error);
    else ((this.context as Sdk | null) ?? getSdk()).report(error, place);
  }

  readonly retry = () => this.setState({ error: null, failed: false, retried: true });

  override render(): ReactNode {
    const { error, failed, retried } = this.state;
    return failed ? this.props.fallback(error, this.retry, retried) : this.props.children;
  }
}
