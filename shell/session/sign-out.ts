import * as authEndpoints from '@cord/contracts/addresses/auth';
import { ApiError, type Sdk } from '@cord/sdk';
import { endPushesSoon } from '../offline/push-owner';
import { sendEnd } from './ended-elsewhere';
import { leave } from './leaving';

/**
 * Signs out: ends the session on the server, then forgets the user here, also when the call failed. It is not repeated.
 * @returns the error to be shown, or null
 */
export async function signOut(sdk: Pick<Sdk, 'api' | 'session' | 'broadcast'>): Promise<ApiError | null> {
  return leave(sdk, async () => {
    await endPushesSoon();
    const failure = await sdk.api.call(authEndpoints.logout).then(
      () => null,
      (error: unknown) => (error instanceof ApiError && error.status !== 401 ? error : null),
    );
    const { user } = sdk.session.state.get();
    // Ahead of the sign-out, which the other tabs show with it.
    if (failure !== null && user !== null) sendEnd(sdk, user.id, { unconfirmed: failure.message });
    sdk.session.signOut();
    return failure;
  });
}
