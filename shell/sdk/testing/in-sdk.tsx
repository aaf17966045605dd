import { type ReactNode, useState } from 'react';
import { SdkProvider } from '../sdk';
import type { TestSdk } from './test-sdk';

/** A story's stage: its own sdk, made once. */
export function InSdk({ make, children }: { make: () => TestSdk; children: ReactNode }) {
  const [sdk] = useState(make);
  return <SdkProvider sdk={sdk}>{children}</SdkProvider>;
}
