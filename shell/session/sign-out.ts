import * as authEndpoints from '@cord/contracts/addresses/auth';
import { ApiError, type Sdk } from '@cord/sdk';
import { endPushesSoon } from '../offline/push-owner';
import { sendEnd } from './ended-elsewhere';
import { leave } from './leaving';

/**
 * Ends the session on the server, then removes the user here, even after a failed call. It does not retry.
 * @returns the error to show, or null
 */
export async function signOut(sdk: Pick<Sdk, 'api' | 'session' | 'broadcast'>): Promise<ApiError | null> {
  return leave(sdk, async () => {
    await endPushesSoon();
    const failure = await sdk.api.call(authEndpoints.logout).then(
      () => null,
      (error: unknown) => (error instanceof ApiError && error.status !== 401 ? error : null),
    );
    const { user } = sdk.session.state.get();
    // Sent before the sign-out, so that other tabs show both together.
    if (failure !== null && user !== null) sendEnd(sdk, user.id, { unconfirmed: failure.message });
    sdk.session.signOut();
    return failure;
  });
}
