import { type ComponentType, type ReactNode, useState } from 'react';
import { SdkProvider } from '../sdk';
import type { TestSdk } from './test-sdk';

/** A story's stage: its own sdk, made once. */
export function InSdk({ make, children }: { make: () => TestSdk; children: ReactNode }) {
  const [sdk] = useState(make);
  return <SdkProvider sdk={sdk}>{children}</SdkProvider>;
}

/** A story of one part on an sdk of its own, for which `prepare` sets what else the servers answer. */
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
