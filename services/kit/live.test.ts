import { subjectOf } from '@cord/contracts/events/envelope';
import { checkinPerformed } from '@cord/contracts/events/tasks';
import { liveSubjectsOf } from '@cord/contracts/live/subjects';
import { expect, test } from 'vitest';
import { createLive } from './live.js';
import { randomId, startTestBackend } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const backend = forAllTests(() => startTestBackend({ store: false }));

test('a hint with its seq follows each new event, but no repeated or older one', async () => {
  const { nats } = backend;
  const userId = randomId();
  const received: string[] = [];
  nats.nc.subscribe(liveSubjectsOf(userId), {
    callback: (_err, msg) => void received.push(`${msg.subject.split('.')[3]} ${msg.string()}`),
  });
  const live = createLive(nats);
  live.hintAfter('checkin', [checkinPerformed]);
  const days: string[] = [];
  live.after(checkinPerformed, ({ dayKey }) => void days.push(dayKey));
  const perform = (seq: number) =>
    nats.publish(
      subjectOf(checkinPerformed, userId),
      {
        ...{ v: 1, id: `checkin:${userId}`, at: 1, userId, seq: String(seq), dayKey: `2026-11-2${seq}` },
        ...{ streak: 1, longestStreak: 1, totalCheckIns: 1, rewardMicro: '1', bonusMicro: '1' },
      },
      `checkin:${userId}:${seq}`,
    );
  await perform(2);
  await perform(2);
  await perform(1);
  await perform(3);
  live.send('orders', userId, { seq: '7' });
  await nats.nc.flush();
  await expect.poll(() => received).toEqual(['checkin {"seq":"2"}', 'checkin {"seq":"3"}', 'orders {"seq":"7"}']);
  expect(days).toEqual(['2026-11-22', '2026-11-23']);
});
