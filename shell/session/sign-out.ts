import { authEndpoints } from '@cord/contracts/http/auth';
import { ApiError, type Sdk } from '@cord/sdk';

let leaving = 0;

/** Whether the user is just leaving: calls that are refused meanwhile are no lost session. */
export function isLeaving(): boolean {
  return leaving > 0;
}

/** Does what ends the session by the user's own wish: signing out, deleting the account. */
export async function leave<T>(work: () => Promise<T>): Promise<T> {
  leaving += 1;
  try {
    return await work();
  } finally {
    leaving -= 1;
  }
}

/**
 * Signs out: ends the session on the server, then forgets the user here, also when the server could not be told
 * (spec part 4, Logout). @returns the error that the user should hear of, or null
 */
export async function signOut(sdk: Pick<Sdk, 'api' | 'session' | 'queries'>): Promise<ApiError | null> {
  return leave(async () => {
    const failure = await sdk.api.call(authEndpoints.logout).then(
      () => null,
      (error: unknown) => (error instanceof ApiError && error.status !== 401 ? error : null),
    );
    sdk.session.signOut();
    sdk.queries.clear();
    return failure;
  });
}
