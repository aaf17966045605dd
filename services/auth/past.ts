import { pastRpc } from '@cord/contracts/rpc/past';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { AntiCheat } from './anticheat/port.js';
import type { SessionStore } from './store/sessions.js';

/** When a user was signed in and what the network check found, for the service that explains the hours of the node. */
export function servePast(
  nats: Pick<Nats, 'serve'>,
  { sessions, antiCheat, now }: { sessions: SessionStore; antiCheat: Pick<AntiCheat, 'historyOf'>; now: () => number },
): Consuming {
  return nats.serve(pastRpc, async ({ userId }) => {
    const [signIns, network] = await Promise.all([sessions.signedIn(userId, now()), antiCheat.historyOf(userId)]);
    return {
      signIns: signIns.map(({ fromMs, toMs }) => ({ fromMs, toMs })),
      network: network.map(({ atMs, factorHundredths, accounts }) => ({ atMs, factorHundredths, accounts })),
    };
  });
}
