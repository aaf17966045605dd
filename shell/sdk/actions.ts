import { useCallback } from 'react';
import { type Sdk, useSdk } from './sdk';

/** An action of a module that another page starts; it shows the user its own result. @returns whether it succeeded */
export type Action = (sdk: Sdk) => Promise<boolean>;

/** The shell's places for an action; a module names one in its package.json, as for a part. */
export type ActionPlace = 'welcome.start';

/** Exported by `./parts` of a module as `actions`, under the names in its package.json. */
export type Actions = Readonly<Record<string, Action>>;

/** Returns the module action for a place, to be called on a press. It rejects, after a report, when the module does not load. */
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
