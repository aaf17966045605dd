import type { ResponseOf } from '@cord/contracts/calls';
import type { at } from '@cord/sdk/testing';

type Notice = ResponseOf<typeof at.notices.list>['notices'][number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Returns an inbox of the server with the first three notices unread. */
export function sampleNotices(nowMs: number): Notice[] {
  const notice = (agoMs: number, notice: Omit<Notice, 'id' | 'at' | 'readAt'>, isRead = true): Notice => ({
    id: `${notice.kind}-${agoMs}`,
    at: new Date(nowMs - agoMs).toISOString(),
    readAt: isRead ? new Date(nowMs - agoMs / 2).toISOString() : null,
    ...notice,
  });
  return [
    notice(
      4 * MINUTE_MS,
      {
        kind: 'streak-closing',
        title: 'Your streak ends in 2 h',
        text: 'Check in before 00:00 UTC to keep 18 days. Today pays 145 CORD.',
        tab: 'tasks',
      },
      false,
    ),
    notice(
      39 * MINUTE_MS,
      {
        kind: 'epoch',
        title: 'Epoch Gamma starts at 01:25',
        text: 'Mining pays ×1.2 for 15 days. Your rate becomes 2.100000 CORD/min.',
        tab: 'node',
      },
      false,
    ),
    notice(
      3 * HOUR_MS,
      {
        kind: 'friend-joined',
        title: 'kofi_b joined with your code',
        text: 'You receive 86 CORD once their node has run for 10 minutes.',
        tab: 'referrals',
      },
      false,
    ),
    notice(2 * DAY_MS, {
      kind: 'node-paused',
      title: 'Your node paused at 14:20',
      text: 'You were away for 8 hours. Everything earned until then has been credited.',
      tab: 'node',
    }),
    notice(9 * DAY_MS, {
      kind: 'payment',
      title: 'Payment confirmed: the Badge of Honor is yours',
      text: 'Transaction 5hQ2…x9Ke is final.',
      tab: 'dashboard',
    }),
    notice(9 * DAY_MS, {
      kind: 'support-answered',
      title: 'Your appeal has been answered',
      text: 'Network check: Clean. Your full rate was restored on 12 November, 10:31.',
      tab: 'settings',
    }),
    // A kind of a newer release.
    notice(10 * DAY_MS, { kind: 'staking', title: 'Something newer', text: 'Of which this page knows nothing yet.' }),
  ];
}
