import { SERVICES, type ServiceName } from '@cord/contracts/endpoint';
import { balanceChanged } from '@cord/contracts/events/balance';
import { subjectOf } from '@cord/contracts/events/envelope';
import { GATEWAY_USER } from '@cord/contracts/events/permissions';
import { consumedBy, measuredStreams, STREAMS } from '@cord/contracts/events/streams';
import { userErased } from '@cord/contracts/events/user';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessionCheck } from './edge/session-check.js';
import { createLogger } from './log.js';
import { createMetrics } from './metrics.js';
import { on } from './nats/consume.js';
import { deadLetterEvent, listDeadLetters, purgeDeadLetters, retryDeadLetter } from './nats/dead-letters.js';
import { measureStreams } from './nats/figures.js';
import { stateOf } from './nats/state-of.js';
import { connectNats, type Nats } from './nats.js';
import { purgeSubject } from './purge.js';
import { restingAccount } from './testing/account-state.js';
import { startConnectedServices } from './testing/accounts-nats.js';
import { createSessionSigner, createTestClock, randomId } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';
import { awaitTopology } from './topology/check.js';
import { ensureTopology } from './topology.js';

/* Every service with its own NATS user and table, as in a running system; what an attacker with a service's password cannot do: infra/dev/test/nats-attacks.test.ts. */

const log = createLogger('test', 'silent');
const clock = createTestClock();
const server = forAllTests(() => startConnectedServices(log));
let rights: Nats;
const as = (name: ServiceName): Nats => server.as(name);

beforeAll(async () => {
  rights = await connectNats({ NATS_URL: server.urlFor('rights') }, 'rights', log);
  await ensureTopology(server.admin);
});
afterAll(() => rights.drain());

const changed = (userId: string) => ({
  v: 1,
  id: `balance:${userId}:1`,
  at: 1,
  userId,
  seq: '1',
  ...restingAccount({ balance: '1', bySource: { mining: '1' } }),
});

describe('with a NATS user and a table for each service', () => {
  it.each(SERVICES)('%s finds its topology, and may read every stream on which it has a consumer', async (name) => {
    await awaitTopology(as(name), name);
    for (const stream of consumedBy(name)) {
      const consuming = as(name).consume({ stream, handlers: [] });
      const consumer = await as(name).js.consumers.get(stream, name);
      expect((await consumer.info()).name).toBe(name);
      await consuming.stop();
    }
  });

  it.each(SERVICES)('%s may read how full its streams are and how far behind its consumers are', async (name) => {
    const metrics = createMetrics(name, { processFigures: false });
    measureStreams(metrics, as(name), name);
    const text = await metrics.registry.metrics();
    for (const stream of measuredStreams(name)) expect(text).toContain(`cord_stream_bytes{stream="${stream}"`);
    for (const stream of consumedBy(name)) {
      expect(text).toContain(`cord_consumer_pending_messages{stream="${stream}"`);
      expect(text).toContain(`cord_consumer_ahead_messages{stream="${stream}"`);
    }
  });

  it('the gateway follows keys, roles and revocations from auth’s own account', async () => {
    const signer = await createSessionSigner(rights);
    const gateway = await connectNats({ NATS_URL: server.urlFor(GATEWAY_USER) }, GATEWAY_USER, log);
    const session = createSessionCheck({ clock, log });
    await session.start(gateway);
    const userId = randomId();
    const sessionId = randomId();
    const token = await signer.sign(userId, { nowMs: clock.now(), sessionId });
    const verified = expect.poll(() => session.verify(token), { timeout: 1_000 });
    await verified.toMatchObject({ id: userId, isAdmin: false });
    await signer.state.setRoles(userId, ['admin']);
    await verified.toMatchObject({ isAdmin: true });
    await signer.state.revokeSession(sessionId, clock.now());
    await verified.toBeNull();
    await session.stop();
    await gateway.drain();
  });

  it('a message that does not fit becomes a dead letter of the service that read it', async () => {
    const userId = randomId();
    await server.admin.js.publish(subjectOf(balanceChanged, userId), '{}');
    const consuming = as('referrals').consume({
      stream: 'CORD_BALANCE',
      handlers: [on(balanceChanged, async () => undefined)],
    });
    await expect
      .poll(() =>
        server.admin.jsm.streams
          .getMessage('CORD_DEAD', { last_by_subj: `cord.dead.v1.referrals.CORD_BALANCE.${userId}` })
          .then(
            (found) => found?.string().includes(userId),
            () => false,
          ),
      )
      .toBe(true);
    await consuming.stop();
  });

  it('only tasks and referrals may read a user’s last balance, and none may read a position of the stream', async () => {
    const userId = randomId();
    expect(await stateOf(as('tasks'), balanceChanged, userId)).toBeNull();
    await as('mining').publish(subjectOf(balanceChanged, userId), changed(userId), `balance:${userId}:1`);
    for (const reader of ['tasks', 'referrals'] as const)
      expect(await stateOf(as(reader), balanceChanged, userId)).toMatchObject({ userId, balance: '1', seq: '1' });
    await expect(stateOf(as('rewards'), balanceChanged, userId)).rejects.toMatchObject({ status: 503 });
    const place = { seq: 1 };
    await expect(as('tasks').jsm.direct.getMessage('CORD_BALANCE', place)).rejects.toThrow(/permission/i);
  });

  it('a forged dead letter cannot make a service publish, as a retry reads the stream, not the letter', async () => {
    const victim = randomId();
    const subject = subjectOf(userErased, victim);
    const payload = JSON.stringify({ v: 1, id: `erased:${victim}`, at: 1, userId: victim, seq: '9' });
    const letter = {
      v: 1,
      durable: 'leaderboard',
      deliveries: 8,
      reason: 'x',
      at: new Date(0).toISOString(),
      complete: true,
    };
    const forge = async (place: string, more: object) => {
      const text = JSON.stringify({ ...letter, stream: 'none', streamSeq: 1e9, subject, payload, ...more });
      return (await as('leaderboard').js.publish(`cord.dead.v1.leaderboard.${place}`, text)).seq;
    };
    await expect(retryDeadLetter(server.admin, await forge('x', {}))).rejects.toThrow(/not a stream of events/);
    await expect(retryDeadLetter(server.admin, await forge(`CORD_USERS.${victim}`, {}))).rejects.toThrow(
      /has no message/,
    );
    const never = await forge(`CORD_USERS.${victim}`, { streamSeq: 0 });
    await expect(retryDeadLetter(server.admin, never)).rejects.toThrow(/does not own/);
    const { streamSeq } = await as('mining').publish(
      subjectOf(balanceChanged, victim),
      changed(victim),
      `balance:${victim}:1`,
    );
    const unwritten = await forge(`CORD_BALANCE.${victim}`, { streamSeq });
    await expect(
      retryDeadLetter(server.admin, unwritten, () => Promise.reject(new Error('no audit line'))),
    ).rejects.toThrow();
    expect((await listDeadLetters(server.admin)).map(({ deadSeq }) => deadSeq)).toContain(unwritten);
    const shown: unknown[] = [];
    const real = await forge(`CORD_BALANCE.${victim}`, { streamSeq });
    expect(await retryDeadLetter(server.admin, real, (event) => void shown.push(event))).toBe('retried');
    expect(shown).toEqual([{ subject: subjectOf(balanceChanged, victim), payload: expect.stringContaining(victim) }]);
    const users = await server.admin.jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject }).catch(() => null);
    expect(users).toBeNull();
  });

  it('a dead letter of an unpublished event is retried for the owner of the event', async () => {
    const userId = randomId();
    const subject = subjectOf(balanceChanged, userId);
    const unfit = { subject, payload: changed(userId), msgId: `b:${userId}`, err: new Error('too large') };
    await deadLetterEvent(as('mining'), unfit);
    const letter = (await listDeadLetters(server.admin)).find((one) => one.subject === subject);
    expect(await retryDeadLetter(server.admin, letter?.deadSeq ?? 0)).toBe('retried');
    expect(
      (await server.admin.jsm.streams.getMessage('CORD_BALANCE', { last_by_subj: subject }))?.json(),
    ).toMatchObject({
      userId,
    });
  });

  it('auth’s own account has no JetStream, and receives no subject of other accounts', async () => {
    await expect(rights.jsm.getAccountInfo()).rejects.toThrow();
    await expect(receivedOn(rights, 'cord.>')).rejects.toThrow(/permission/i);
  });

  it('each owner can purge events of an erased user from its own streams', async () => {
    for (const { name, owner, subjects } of STREAMS) {
      if (owner === 'all') continue;
      const subject = subjects[0]?.replace('>', `changed.${randomId()}`) ?? '';
      await server.admin.js.publish(subject, '{}');
      await purgeSubject(as(owner), subject);
      expect(await server.admin.jsm.streams.getMessage(name, { last_by_subj: subject }), name).toBeNull();
    }
  });

  it('only auth can purge the dead letters of an erased user', async () => {
    const userId = randomId();
    const place = `cord.dead.v1.tasks.CORD_BALANCE.${userId}`;
    await as('tasks').js.publish(place, '{}');
    await expect(purgeDeadLetters(as('tasks'), userId)).rejects.toThrow(/permission/i);
    await purgeDeadLetters(as('auth'), userId);
    expect(await server.admin.jsm.streams.getMessage('CORD_DEAD', { last_by_subj: place })).toBeNull();
  });
});

/** The first message on a subject. @throws the server's refusal */
async function receivedOn(nats: Nats, subject: string): Promise<unknown> {
  for await (const message of nats.nc.subscribe(subject)) return message;
  return undefined;
}
