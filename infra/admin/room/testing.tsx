import type { TestSdk } from '@cord/sdk/testing';
import { inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { beforeAll } from 'vitest';
import { Room } from './room';
import { VIEWS } from './views';

/** For the tests of a view: its files are there, and time stands still. */
export function testsOfView(view: keyof typeof VIEWS): void {
  // The component is no clean-up of the tests, as which a value of `beforeAll` would be called.
  beforeAll(async () => void (await VIEWS[view].file.load()));
  inFakeTime();
}

/** The room, with everything there that was requested. */
export async function openRoom(sdk: TestSdk) {
  const view = renderWithSdk(<Room />, sdk);
  await settle();
  return { ...view, sdk };
}

/** The panel in which an act is confirmed. */
export const panel = () => within(screen.getByTestId('confirm'));

export const text = ({ textContent }: Element) => textContent;
