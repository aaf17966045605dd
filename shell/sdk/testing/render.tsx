import { act, cleanup, type RenderResult, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { SdkProvider } from '../sdk';
import type { TestSdk } from './test-sdk';

/** Renders with an sdk, and gives a user whose fingers wait for nothing. */
export function renderWithSdk(
  ui: ReactNode,
  sdk: TestSdk,
): RenderResult & { user: ReturnType<typeof userEvent.setup> } {
  const result = render(<SdkProvider sdk={sdk}>{ui}</SdkProvider>);
  return { ...result, user: userEvent.setup({ delay: null }) };
}

/** Lets the server's clock run on, with every render that follows from it. */
export async function advance(sdk: TestSdk, ms: number): Promise<void> {
  await act(async () => sdk.clock.advance(ms));
}

export { act, cleanup };
