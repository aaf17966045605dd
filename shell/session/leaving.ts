import type { Sdk } from '@cord/sdk';
import { forgetDrafts, forgetPerson, setLocale } from '@cord/sdk/host';

type Sent = Pick<Sdk, 'broadcast' | 'session'>;

/** How long another tab may take to end the session, ms. */
const ELSEWHERE_MS_MAX = 15_000;

let leaving = 0;
let elsewhereUntilMs = 0;
let leavingElsewhere: string | null = null;

/** Whether the user is just leaving, here or in another tab: calls that are refused meanwhile are no lost session. */
export function isLeaving(): boolean {
  return leaving > 0 || performance.now() < elsewhereUntilMs;
}

/** Learns from the other tabs that the user is leaving there. */
export function followOthersLeaving({ broadcast, session }: Sent): void {
  broadcast.listen(({ kind, userId }) => {
    // The session may have received it before.
    if (kind === 'signed-out' && userId === leavingElsewhere) {
      leavingElsewhere = null;
      return haveLeft();
    }
    if (kind !== 'leaving' || userId !== session.state.get().user?.id) return;
    elsewhereUntilMs = performance.now() + ELSEWHERE_MS_MAX;
    leavingElsewhere = userId;
    forgetDrafts();
  });
}

/**
 * Does what ends the session by the user's own wish: signing out, deleting the account. Last of all, once nobody is signed in any more, what this
 * device keeps of the person goes. A session that ends by itself leaves it: the same person comes back.
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
    if (session.state.get().status === 'signed-out') haveLeft();
  }
}

/** Nothing of the person stays; the page is in the browser's language again. */
function haveLeft(): void {
  forgetPerson();
  setLocale(null);
}
