import type { Live } from '@cord/kit/live';
import { rateNow, sessionAnswer, updatedUser } from './http/present.js';
import type { Change } from './ledger/ledger.js';
import { resultOf } from './node/node.js';

/** Delay of the changes that follow the first one of a user, which is sent at once, ms. They are sent together. */
const TOGETHER_MS = 200;

/** Changes of one user since the last message: the latest state, and which parts of it changed. */
interface Due {
  change: Change;
  node: boolean;
  rate: boolean;
}

/**
 * Feeds the streams of balance, node and rate with the shapes that the endpoints return. Sends what the ledger
 * announces: credits, starts, stops and pauses at once. Accrual alone, which clients extrapolate, is sent every half
 * minute.
 */
export function createLiveSender(live: Pick<Live, 'send'>) {
  const lately = new Set<string>();
  const due = new Map<string, Due>();
  let timer: NodeJS.Timeout | undefined;

  const send = ({ change, node, rate }: Due): void => {
    const { after, moment } = change;
    const { userId } = after;
    const seq = after.seq.toString();
    const user = updatedUser(after, moment);
    const balance = { seq, newBalance: user.current_balance ?? 0, balanceSeq: seq, updatedUser: user };
    live.send('balance', userId, balance);
    const idle = after.node.status === 'idle';
    const serverTime = new Date(moment.nowMs).toISOString();
    if (node) {
      const session = idle ? null : sessionAnswer(resultOf(change));
      live.send('node', userId, { seq, session, serverTime });
    }
    if (rate) live.send('rate', userId, { seq, ...rateNow(after, moment) });
  };
  const sendDue = (): void => {
    timer = undefined;
    lately.clear();
    const waiting = [...due.values()];
    due.clear();
    for (const one of waiting) sendOnce(one);
  };
  const sendOnce = (one: Due): void => {
    lately.add(one.change.after.userId);
    timer ??= setTimeout(sendDue, TOGETHER_MS);
    send(one);
  };

  return {
    /** Accepts each written change of an account. */
    changed(change: Change) {
      const { before, after } = change;
      if (after.announceSeq !== after.seq || after.erasedAtMs !== null) return;
      const { userId } = after;
      const waiting = due.get(userId);
      const one: Due = {
        change,
        node: waiting?.node === true || after.node !== before.node,
        rate: waiting?.rate === true || changesRate(before.factors, after.factors),
      };
      if (lately.has(userId)) due.set(userId, one);
      else sendOnce(one);
    },
    stop() {
      clearTimeout(timer);
      sendDue();
      clearTimeout(timer);
    },
  };
}

function changesRate(before: Change['before']['factors'], after: Change['after']['factors']): boolean {
  return before.badge !== after.badge || before.antiCheatHundredths !== after.antiCheatHundredths;
}
