import type { TestSdk } from '@cord/sdk/testing';
import { inFakeTime, renderWithSdk, settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { beforeAll } from 'vitest';
import { Room } from './room';
import { VIEWS } from './views';

/** Setup of a view's tests: loads its files and stops the time. */
export function testsOfView(view: keyof typeof VIEWS): void {
  // The component must not be returned: vitest would call it as a clean-up function.
  beforeAll(async () => void (await VIEWS[view].file.load()));
  inFakeTime();
}

/** Opens the room and waits until everything is loaded. */
export async function openRoom(sdk: TestSdk) {
  const view = renderWithSdk(<Room />, sdk);
  await settle();
  return { ...view, sdk };
}

/** Queries within the confirm panel. */
export const panel = () => within(screen.getByTestId('confirm'));

export const text = ({ textContent }: Element) => textContent;
