import { getSdk } from '@cord/sdk/host';
import type { ComponentType } from 'react';
import { theRegistry } from '../federation/the-registry';
import { textsLoaded } from './language';
import { ownTask } from './scheduling';

/** Reads the design system and then the app behind the sign-in, each in a task of its own (main.tsx). */
export async function readSignedIn(): Promise<ComponentType> {
  await ownTask();
  await import(/* webpackMode: "eager" */ '@cord/ui');
  await ownTask();
  const { partsHost } = await import(/* webpackMode: "eager" */ '../parts/parts-host');
  const { requestFirstScreen } = await import(/* webpackMode: "eager" */ './first-screen');
  requestFirstScreen(getSdk(), partsHost, theRegistry);
  const { SignedIn } = await import(/* webpackMode: "eager" */ './signed-in');
  // The account may have another language than this device did.
  await textsLoaded();
  return SignedIn;
}
