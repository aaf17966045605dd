import { subjectOf } from '@cord/contracts/events/envelope';
import { userErased, userRegistered } from '@cord/contracts/events/user';
import { AckPolicy } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { purgeUserEvents } from './purge.js';
import { randomId, startTestBackend } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';
import { registered } from './testing/registered.js';

const backend = forAllTests(() => startTestBackend({ store: false }));

it('a purge removes events up to a position, and keeps those published after it', async () => {
  const userId = randomId();
  const publish = async (seq: number) => {
    const event = { v: 1, id: `e:${seq}`, at: 1, userId, seq: String(seq), ...registered(1) };
    return (await backend.nats.publish(subjectOf(userRegistered, userId), event, event.id)).streamSeq;
  };
  const last = async () => {
    const { streams } = backend.nats.jsm;
    return (await streams.getMessage('CORD_USERS', { last_by_subj: subjectOf(userRegistered, userId) }))?.seq;
  };
  const first = await publish(1);
  await purgeUserEvents(backend.nats, [userRegistered], userId, first - 1);
  expect(await last()).toBe(first);
  const second = await publish(2);
  await purgeUserEvents(backend.nats, [userRegistered, userErased], userId, first);
  expect(await last()).toBe(second);
  await purgeUserEvents(backend.nats, [userRegistered], userId, second);
  expect(await last()).toBeUndefined();
});

it('a purge keeps the message that a reader holds, which is redelivered even when another user is erased', async () => {
  const { js, jsm } = backend.nats;
  const durable = 'slow';
  await jsm.consumers.add('CORD_USERS', {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    ack_wait: 1_000_000_000,
  });
  const [slow, gone] = [randomId(), randomId()];
  const erased = (userId: string) => ({ v: 1, id: `e:${userId}`, at: 1, userId, seq: '1' });
  const reader = await js.consumers.get('CORD_USERS', durable);
  const next = () => reader.next({ expires: 5_000 });
  await backend.nats.publish(subjectOf(userErased, slow), erased(slow), `e:${slow}`);
  for (let msg = await next(); msg?.subject !== subjectOf(userErased, slow); msg = await next()) msg?.ack();
  const event = { ...erased(gone), ...registered(1) };
  await backend.nats.publish(subjectOf(userRegistered, gone), event, `r:${gone}`);
  (await next())?.ack();
  await purgeUserEvents(backend.nats, [userRegistered], gone);
  expect((await next())?.subject).toBe(subjectOf(userErased, slow));
});
