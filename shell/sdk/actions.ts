import { useCallback } from 'react';
import { type Sdk, useSdk } from './sdk';

/** What a module does for whoever asks, wherever the user is; it tells the user itself how it went. @returns whether it is done */
export type Action = (sdk: Sdk) => Promise<boolean>;

/** The actions of modules, by module and name. */
export type ActionName = 'mining/start-node';

type ActionIn<N extends string, M extends string> = N extends `${M}/${infer A}` ? A : never;

/** What `./parts` of a module exports as `actions`, checked with `satisfies ActionsOf<'mining'>`. */
export type ActionsOf<M extends string> = Record<ActionIn<ActionName, M>, Action>;

/** An action of another module, to be called at a press. It rejects where the module does not come, which is reported here. */
export function useAction(name: ActionName): () => Promise<boolean> {
  const sdk = useSdk();
  return useCallback(async () => {
    const action = await sdk.parts.action(name).catch((error: unknown) => {
      sdk.report(error, { module: `mfe_${name.split('/')[0]}`, part: name });
      throw error;
    });
    return action(sdk);
  }, [sdk, name]);
}
