import { beforeEach, describe, expect, it } from 'vitest';
import {
  CLOCK_OFF_MS_MAX,
  OUTBOX_AHEAD_MS_MAX,
  PERIODIC_JITTER,
  SWEEP_EVERY_MS,
  SWEEP_IN_FLIGHT_MAX,
  SWEEP_LEASE_MS,
  SWEEP_SCAN_MAX,
} from '../bounds.js';
import type { Nats } from '../nats.js';
import { item, startOutboxFixture } from '../test/outbox-fixture.js';
import { randomId } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';

const at = forAllTests(() => startOutboxFixture());
beforeEach(() => at.reset());

describe('the sweeper', () => {
  it('ignores marks that are younger than five seconds', async () => {
    const userId = randomId();
    const relay = at.outboxOver(at.backend.nats);
    await at.insert(userId, [item(userId, 1)]);
    await at.clock.advance(4_999);
    expect(await relay.sweepOnce()).toBe(0);
    await at.clock.advance(1);
    expect(await relay.sweepOnce()).toBe(1);
  });

  it('takes a mark made by a clock a day ahead, and ignores one that waits for the next write', async () => {
    const [ahead, waiting] = [randomId(), randomId()];
    const relay = at.outboxOver(at.backend.nats);
    const nowMs = at.clock.now();
    await at.insert(ahead, [item(ahead, 1)], nowMs + 86_400_000);
    await at.insert(waiting, [item(waiting, 1)], nowMs + OUTBOX_AHEAD_MS_MAX + 2 * CLOCK_OFF_MS_MAX);
    expect(await relay.sweepOnce()).toBe(1);
    expect([await at.amountsPublished(ahead), await at.amountsPublished(waiting)]).toEqual([['1'], []]);
  });

  it('retries a document that cannot be published with growing delays, and blocks no other', async () => {
    const [bad, good] = [randomId(), randomId()];
    await at.insert(bad, [item(bad, 1)], at.clock.now() - 1);
    await at.insert(good, [item(good, 1)]);
    let tries = 0;
    const nats = at.natsAfter((subject) => {
      if (subject.endsWith(bad)) {
        tries += 1;
        throw new Error('no acknowledgement');
      }
    });
    const relay = at.outboxOver(nats);
    await at.clock.advance(5_000);
    expect(await relay.sweepOnce()).toBe(1);
    await relay.sweepOnce();
    expect(tries).toBe(1);
    await at.clock.advance(1_000);
    await relay.sweepOnce();
    expect(tries).toBe(2);
    await at.clock.advance(1_000);
    await relay.sweepOnce();
    expect(tries).toBe(2);
    await at.clock.advance(1_000);
    await relay.sweepOnce();
    expect(tries).toBe(3);
  });

  it('counts the delay from the failure, however long the delivery took', async () => {
    const userId = randomId();
    let tries = 0;
    const nats = at.natsAfter(() => {
      tries += 1;
      at.clock.pass(5_000);
      throw new Error('no acknowledgement');
    });
    const relay = at.outboxOver(nats);
    await at.insert(userId, [item(userId, 1)], at.clock.now() - 5_000);
    await relay.sweepOnce();
    at.clock.pass(999);
    await relay.sweepOnce();
    expect(tries).toBe(1);
    at.clock.pass(1);
    await relay.sweepOnce();
    expect(tries).toBe(2);
  });

  it('reaches a document behind more waiting ones than one query reads', async () => {
    const stuck = Array.from({ length: SWEEP_SCAN_MAX }, () => randomId());
    const dirtyAt = at.clock.now() - 5_000;
    await at
      .accounts()
      .insertMany(stuck.map((_id) => ({ _id, seq: 1n, outbox: [item(_id, 1)], dirtyAt: dirtyAt - 1 })));
    const behind = randomId();
    await at.insert(behind, [item(behind, 1)], dirtyAt);
    const nats = at.natsAfter((subject) => {
      if (!subject.endsWith(behind)) throw new Error('no acknowledgement');
    });
    const relay = at.outboxOver(nats, { batch: SWEEP_SCAN_MAX });
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await relay.sweepOnce();
    expect(await at.amountsPublished(behind)).toEqual(['1']);
  });

  /** An outbox over NATS that rejects some users' events; lists the users tried in a sweep. */
  function overFailing() {
    const isAway = new Set<string>();
    let tried: string[] = [];
    const reconnected = new Set<() => void>();
    const nats = at.natsAfter((subject) => {
      const id = subject.split('.').at(-1) ?? '';
      tried.push(id);
      if (isAway.has(id)) throw new Error('no acknowledgement');
    });
    const onReconnect: Nats['onReconnect'] = (run) => {
      reconnected.add(run);
      return () => reconnected.delete(run);
    };
    const relay = at.outboxOver({ ...nats, onReconnect });
    return {
      isAway,
      async fails(id: string) {
        isAway.add(id);
        await at.insert(id, [item(id, 1)], at.clock.now() - 5_000);
      },
      reconnect() {
        for (const run of reconnected) run();
      },
      async sweep(): Promise<string[]> {
        tried = [];
        await relay.sweepOnce();
        return tried.sort();
      },
      followers: reconnected,
      stop: () => relay.stop(),
    };
  }

  it('retries at once when NATS is back, and continues the backoff of a document that fails again', async () => {
    const { fails, sweep, reconnect, followers, stop } = overFailing();
    const stuck = randomId();
    await fails(stuck);
    for (const seconds of [0, 1, 2, 4]) {
      await at.clock.advance(seconds * 1_000);
      expect(await sweep()).toEqual([stuck]);
    }
    // Eight seconds from here, and sixteen from the try that the reconnection brings.
    expect(await sweep()).toEqual([]);
    reconnect();
    expect(await sweep()).toEqual([stuck]);
    await at.clock.advance(15_000);
    expect(await sweep()).toEqual([]);
    await at.clock.advance(1_000);
    expect(await sweep()).toEqual([stuck]);
    await stop();
    expect(followers.size).toBe(0);
  });

  it('retries waiting documents at once when one that had failed succeeds', async () => {
    const { fails, sweep, isAway, stop } = overFailing();
    const [one, other, last] = [randomId(), randomId(), randomId()];
    await fails(one);
    await fails(other);
    for (const seconds of [0, 1, 2, 4]) {
      await at.clock.advance(seconds * 1_000);
      expect(await sweep()).toEqual([one, other].sort());
    }
    await fails(last);
    expect(await sweep()).toEqual([last]);
    isAway.clear();
    expect(await sweep()).toEqual([]);
    await at.clock.advance(1_000);
    expect(await sweep()).toEqual([last]);
    expect(await sweep()).toEqual([one, other].sort());
    expect([await at.amountsPublished(one), await at.amountsPublished(other)]).toEqual([['1'], ['1']]);
    await stop();
  });

  it('runs in one of two replicas, and the other takes over when the lease ends', async () => {
    const [one, two] = [at.outboxOver(at.backend.nats), at.outboxOver(at.backend.nats)];
    const first = randomId();
    await at.insert(first, [item(first, 1)]);
    await at.clock.advance(5_000);
    expect(await one.sweepOnce()).toBe(1);
    const second = randomId();
    await at.insert(second, [item(second, 1)], at.clock.now() - 5_000);
    expect(await two.sweepOnce()).toBe(0);
    await at.clock.advance(15_000);
    expect(await two.sweepOnce()).toBe(1);
  });

  it('keeps the lease during a batch that takes longer than the lease', async () => {
    const batch = 8 * SWEEP_IN_FLIGHT_MAX;
    const two = at.outboxOver(at.backend.nats);
    let published = 0;
    let byTwo = 0;
    const nats = at.natsAfter(async () => {
      at.clock.pass(SWEEP_LEASE_MS / (4 * SWEEP_IN_FLIGHT_MAX));
      published += 1;
      if (published === batch - 1) byTwo = await two.sweepOnce();
    });
    const one = at.outboxOver(nats, { batch });
    const ids = Array.from({ length: batch }, () => randomId());
    await Promise.all(ids.map((id) => at.insert(id, [item(id, 1)], at.clock.now() - 5_000)));
    expect([await one.sweepOnce(), byTwo]).toEqual([batch, 0]);
    await Promise.all([one.stop(), two.stop()]);
  });

  it('starts no further delivery of a batch after it has lost the lease', async () => {
    const two = at.outboxOver(at.backend.nats);
    let taken: Promise<number> | undefined;
    const takenByTwo = () => {
      // The process stood still for longer than its lease.
      at.clock.pass(SWEEP_LEASE_MS);
      return two.sweepOnce();
    };
    const nats = at.natsAfter(async () => {
      taken ??= takenByTwo();
      await taken;
    });
    const one = at.outboxOver(nats, { batch: 4 * SWEEP_IN_FLIGHT_MAX });
    const ids = Array.from({ length: 4 * SWEEP_IN_FLIGHT_MAX }, () => randomId());
    await Promise.all(ids.map((id) => at.insert(id, [item(id, 1)], at.clock.now() - 5_000)));
    expect(await one.sweepOnce()).toBeLessThanOrEqual(SWEEP_IN_FLIGHT_MAX);
    await Promise.all([one.stop(), two.stop()]);
  });

  it('is taken over by the next run of another replica, within two seconds of a stop', async () => {
    const [one, two] = [at.outboxOver(at.backend.nats), at.outboxOver(at.backend.nats)];
    const due = async (count: number) => {
      const ids = Array.from({ length: count }, () => randomId());
      await Promise.all(ids.map((id) => at.insert(id, [item(id, 1)], at.clock.now() - 5_000)));
    };
    await due(64);
    expect(await one.sweepOnce()).toBe(64);
    await due(64);
    expect(await two.sweepOnce()).toBe(0);
    await one.stop();
    // The clock stands still: no lease has ended by itself.
    expect(await two.sweepOnce()).toBe(64);
    expect(SWEEP_EVERY_MS * (1 + PERIODIC_JITTER)).toBeLessThan(2_000);
    await two.stop();
  });

  it('has finished before the response when the clock was moved', async () => {
    const relay = at.outboxOver(at.backend.nats);
    relay.start();
    const userId = randomId();
    await at.insert(userId, [item(userId, 1)]);
    await at.clock.advance(3_600_000);
    expect(await at.amountsPublished(userId)).toEqual(['1']);
    await relay.stop();
  });
});
