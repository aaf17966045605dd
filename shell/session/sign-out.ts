import { authEndpoints } from '@cord/contracts/http/auth';
import { ApiError, type Sdk } from '@cord/sdk';

/**
 * Signs out: ends the session on the server, then forgets the user here, also when the server could not be told
 * (spec part 4, Logout). @returns the error that the user should hear of, or null
 */
export async function signOut(sdk: Pick<Sdk, 'api' | 'session' | 'queries'>): Promise<ApiError | null> {
  const failure = await sdk.api.call(authEndpoints.logout).then(
    () => null,
    (error: unknown) => (error instanceof ApiError && error.status !== 401 ? error : null),
  );
  sdk.session.signOut();
  sdk.queries.clear();
  return failure;
}
