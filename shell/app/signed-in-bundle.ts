import { getSdk } from '@cord/sdk/host';
import type { ComponentType } from 'react';
import { theRegistry } from '../federation/the-registry';
import { textsLoaded } from './language';
import { ownTask } from './scheduling';

/** Loads the design system and then the signed-in app, each in its own task (main.tsx). */
export async function readSignedIn(): Promise<ComponentType> {
  await ownTask();
  await import(/* webpackMode: "eager" */ '@cord/ui');
  await ownTask();
  const { partsHost } = await import(/* webpackMode: "eager" */ '../parts/parts-host');
  const { requestFirstScreen } = await import(/* webpackMode: "eager" */ './first-screen');
  requestFirstScreen(getSdk(), partsHost, theRegistry);
  const { SignedIn } = await import(/* webpackMode: "eager" */ './signed-in');
  // The account's language may differ from the device's.
  await textsLoaded();
  return SignedIn;
}
