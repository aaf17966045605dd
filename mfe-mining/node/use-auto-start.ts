import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as userEndpoints from '@cord/contracts/addresses/users';
import { type Sdk, useSdk } from '@cord/sdk';
import { useEffect } from 'react';
import { nodeController } from './node-controller';

/** Starts the node after a sign-in if the user has enabled that. A reload is no sign-in. */
export function useAutoStart(): void {
  const sdk = useSdk();
  useEffect(() => {
    if (sdk.session.takeFreshSignIn('mining')) void autoStart(sdk);
  }, [sdk]);
}

/** @returns whether it started the node */
export async function autoStart(sdk: Sdk): Promise<boolean> {
  const { user } = sdk.session.state.get();
  if (user === null) return false;
  const params = { id: user.id };
  try {
    const [{ autoStart: wanted }, node] = await Promise.all([
      sdk.api.call(userEndpoints.getSettings, { params }),
      sdk.api.call(miningEndpoints.current, { params }),
    ]);
    return wanted && node?.status !== 'active' && (await nodeController(sdk).start());
  } catch {
    // Without the setting it does nothing; the node can be started by hand.
    return false;
  }
}
