import { miningEndpoints as api } from '@cord/contracts/http/mining';
import { crowdSize } from '@cord/kit/testing/crowd-size';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { describe, expect, test } from 'vitest';
import { eventually, HOUR_MS, MINUTE_MS, startFixture } from './fixture.js';

const mining = forAllTests(() => startFixture({ replicas: 2, own: true }));

describe('two replicas on one account', () => {
  test('pay sixty-four concurrent saves, as from as many tabs, like a single one', async () => {
    const user = await mining.newUser();
    const { id } = await user.start();
    let creditedMicro = 0;
    for (let round = 1; round <= 5; round += 1) {
      await mining.clock.advance(MINUTE_MS);
      const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => user.save(id, n)));
      expect(answers.every(({ success }) => success)).toBe(true);
      creditedMicro += answers.reduce((sum, { credited }) => sum + Math.round(credited * 1e6), 0);
      expect(Math.max(...answers.map(({ newBalance }) => newBalance))).toBe(round * 0.5);
    }
    expect(creditedMicro).toBe(2_500_000);
    await mining.audit();
  });

  test('see each other’s starts, stops and credits at once', async () => {
    const user = await mining.newUser();
    for (let n = 0; n < 10; n += 1) {
      const started = (await user.call(api.start, { replica: n })).body;
      await mining.clock.advance(MINUTE_MS);
      const looked = (await user.call(api.current, { replica: n + 1 })).body;
      expect(looked).toMatchObject({ id: started.id, status: 'active', earnings: 0.5 });
      const key = `task:t${n}:${user.id}:once`;
      await mining.credit(user.id, 'task', key, 1_000_000n);
      expect((await user.call(api.deactivate, { replica: n })).body.session?.status).toBe('ended');
      expect((await user.call(api.current, { replica: n + 1 })).body).toBeNull();
    }
    expect(await mining.balanceMicro(user.id)).toBe(15_000_000n);
    const seqs = (await user.call(api.ledger, { query: { limit: 100 } })).body.entries.map(({ seq }) => BigInt(seq));
    expect(seqs).toEqual([...seqs].sort((a, b) => (a > b ? -1 : 1)));
    await mining.audit();
  });

  test('pause each abandoned node once although both sweep', async () => {
    const users = await Promise.all(Array.from({ length: crowdSize(40, 150) }, () => mining.newUser()));
    await Promise.all(users.map((user, n) => user.call(api.start, { replica: n })));
    await mining.clock.advance(9 * HOUR_MS);
    const ids = users.map(({ id }) => id);
    expect(await mining.stored.accounts.countDocuments({ _id: { $in: ids }, 'node.status': 'paused' })).toBe(
      users.length,
    );
    expect(await mining.stored.accounts.countDocuments({ leaseHintMs: { $lte: mining.clock.now() } })).toBe(0);
    await eventually(async () => {
      expect(await mining.stored.sessions.countDocuments({ userId: { $in: ids }, status: 'paused' })).toBe(
        users.length,
      );
    });
  });
});

describe('while NATS is unavailable', () => {
  test('nodes keep earning, and after its return all waiting entries are written and announced', async () => {
    // What is open becomes an entry with the first step after its hour: each save is such a step, whatever time it is.
    await mining.clock.advance(HOUR_MS + MINUTE_MS - (mining.clock.now() % HOUR_MS));
    const user = await mining.newUser();
    const { id } = await user.start();
    await mining.backend.natsServer?.kill();
    await mining.clock.advance(HOUR_MS);
    expect((await user.save(id)).newBalance).toBe(30);
    await mining.clock.advance(HOUR_MS);
    expect((await user.save(id)).newBalance).toBe(60);
    await mining.audit();
    await mining.backend.natsServer?.restart();
    await mining.clock.advance(MINUTE_MS);
    await eventually(async () => {
      const doc = await mining.stored.accounts.findOne({ _id: user.id });
      expect(doc).toMatchObject({ outbox: [] });
      expect(doc?.dirtyAt).toBeUndefined();
      expect(await mining.stored.entries.countDocuments({ userId: user.id })).toBe(2);
    });
    await eventually(async () => {
      // The test's own connection comes back in its own time, too.
      const message = await mining.backend.nats.jsm.streams.getMessage('CORD_BALANCE', {
        last_by_subj: `cord.balance.v1.changed.${user.id}`,
      });
      expect(message?.json()).toMatchObject({ balance: '60000000' });
    });
    await mining.audit();
  });
});

describe('while the store is unavailable', () => {
  test('a save gets 503 with Retry-After and is not lost: the next one credits it', async () => {
    const user = await mining.newUser();
    const { id: sessionId } = await user.start();
    await mining.clock.advance(MINUTE_MS);
    await mining.backend.storeServer?.kill();
    const refused = await user.call(api.save, { params: { id: user.id, sessionId }, body: {} });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    await mining.backend.storeServer?.restart();
    const saved = await eventually(async () => {
      const answer = await user.call(api.save, { params: { id: user.id, sessionId }, body: {} });
      expect(answer.status).toBe(200);
      return answer.body;
    });
    expect(saved.newBalance).toBe(0.5);
    await mining.audit();
  });

  test('concurrent saves of many users all get 503, and none of them is lost', async () => {
    const users = await Promise.all(Array.from({ length: crowdSize(40, 200) }, () => mining.newUser()));
    const running = await Promise.all(users.map(async (user) => ({ user, sessionId: (await user.start()).id })));
    await mining.clock.advance(MINUTE_MS);
    await mining.backend.storeServer?.kill();
    const save = ({ user, sessionId }: (typeof running)[number]) =>
      user.call(api.save, { params: { id: user.id, sessionId }, body: {} });
    const statuses = (await Promise.all(running.map(save))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 503)).toEqual([]);
    await mining.backend.storeServer?.restart();
    await eventually(async () => {
      const again = await Promise.all(running.map(save));
      expect(again.map(({ status, body }) => [status, body.newBalance])).toEqual(running.map(() => [200, 0.5]));
    });
    await mining.audit();
  });
});
