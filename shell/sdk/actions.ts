import { useCallback } from 'react';
import { type Sdk, useSdk } from './sdk';

/** What a module does at a press somewhere else; it shows the user itself how it went. @returns whether it is done */
export type Action = (sdk: Sdk) => Promise<boolean>;

/** The places of the shell for an action: a module names one in its package.json, as for a part. */
export type ActionPlace = 'welcome.start';

/** What `./parts` of a module exports as `actions`: what its package.json names. */
export type Actions = Readonly<Record<string, Action>>;

/** The action that a module has for a place, to be called at a press. It rejects where the module does not come, which is reported here. */
export function useAction(place: ActionPlace): () => Promise<boolean> {
  const sdk = useSdk();
  return useCallback(async () => {
    const action = await sdk.parts.action(place).catch((error: unknown) => {
      sdk.report(error, { part: place });
      throw error;
    });
    return action(sdk);
  }, [sdk, place]);
}
