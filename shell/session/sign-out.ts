import { authEndpoints } from '@cord/contracts/http/auth';
import { ApiError, type Broadcast, type Sdk } from '@cord/sdk';

/** How long another tab may take to end the session, ms. */
const ELSEWHERE_MS_MAX = 15_000;

let leaving = 0;
let elsewhereUntilMs = 0;

/** Whether the user is just leaving, here or in another tab: calls that are refused meanwhile are no lost session. */
export function isLeaving(): boolean {
  return leaving > 0 || performance.now() < elsewhereUntilMs;
}

/** Learns from the other tabs that the user is leaving there. */
export function hearOthersLeave(broadcast: Broadcast): void {
  broadcast.listen(({ kind }) => {
    if (kind === 'leaving') elsewhereUntilMs = performance.now() + ELSEWHERE_MS_MAX;
  });
}

/** Does what ends the session by the user's own wish: signing out, deleting the account. */
export async function leave<T>(broadcast: Broadcast, work: () => Promise<T>): Promise<T> {
  leaving += 1;
  broadcast.tell({ kind: 'leaving' });
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
export async function signOut(sdk: Pick<Sdk, 'api' | 'session' | 'queries' | 'broadcast'>): Promise<ApiError | null> {
  return leave(sdk.broadcast, async () => {
    const failure = await sdk.api.call(authEndpoints.logout).then(
      () => null,
      (error: unknown) => (error instanceof ApiError && error.status !== 401 ? error : null),
    );
    sdk.session.signOut();
    sdk.queries.clear();
    return failure;
  });
}
