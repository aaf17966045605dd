import { type ComponentType, type ReactNode, useState } from 'react';
import { SdkProvider } from '../sdk';
import type { TestSdk } from './test-sdk';

/** Wraps a story in its own sdk, created once. */
export function InSdk({ make, children }: { make: () => TestSdk; children: ReactNode }) {
  const [sdk] = useState(make);
  return <SdkProvider sdk={sdk}>{children}</SdkProvider>;
}

/** Returns a story of one part with its own sdk; `prepare` sets further responses. */
export function storyOf(Part: ComponentType, make: () => TestSdk, prepare: (sdk: TestSdk) => void = () => undefined) {
  const makePrepared = () => {
    const sdk = make();
    prepare(sdk);
    return sdk;
  };
  return {
    render: () => (
      <InSdk make={makePrepared}>
        <Part />
      </InSdk>
    ),
  };
}
