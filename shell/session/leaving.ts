import type { Sdk } from '@cord/sdk';
import { forgetDrafts, forgetPerson, setLocale } from '@cord/sdk/host';

type Sent = Pick<Sdk, 'broadcast' | 'session'>;

/** Maximum time for another tab to end the session, ms. */
const OTHER_TAB_MS_MAX = 15_000;

let leaving = 0;
let elsewhereUntilMs = 0;
let leavingElsewhere: string | null = null;

/** Whether the user is signing out, here or in another tab; refused calls are then expected. */
export function isLeaving(): boolean {
  return leaving > 0 || performance.now() < elsewhereUntilMs;
}

/** Follows sign-outs in other tabs. */
export function followSignOuts({ broadcast, session }: Sent): void {
  broadcast.listen(({ kind, userId }) => {
    // The session may have received this message first.
    if (kind === 'signed-out' && userId === leavingElsewhere) {
      leavingElsewhere = null;
      return clearPersonalData();
    }
    if (kind !== 'leaving' || userId !== session.state.get().user?.id) return;
    elsewhereUntilMs = performance.now() + OTHER_TAB_MS_MAX;
    leavingElsewhere = userId;
    forgetDrafts();
  });
}

/**
 * Runs an intended end of the session: sign-out or account deletion. After it, this device's personal data is
 * deleted. An expired session keeps the data, since the same person returns.
 */
export async function leave<T>({ broadcast, session }: Sent, work: () => Promise<T>): Promise<T> {
  leaving += 1;
  forgetDrafts();
  const { user } = session.state.get();
  if (user !== null) broadcast.send({ kind: 'leaving', userId: user.id });
  try {
    return await work();
  } finally {
    leaving -= 1;
    if (session.state.get().status === 'signed-out') clearPersonalData();
  }
}

/** Deletes personal data and returns to the browser's language. */
function clearPersonalData(): void {
  forgetPerson();
  setLocale(null);
}
