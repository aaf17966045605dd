import { setTimeout as sleep } from 'node:timers/promises';
import { rateNano } from '@cord/contracts/rules/rate';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { tierHundredths, YEAR_MS } from '@cord/contracts/rules/tiers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountDoc, EpochsDoc } from '../../../../services/mining/store/collections.js';
import type { Member } from '../../../../services/referrals/member.js';
import { highestEpoch } from '../../../audit/ledger/rates.js';
import { findingsOf, openRunning } from '../../../audit/test/system.js';
import { signInByBearer } from '../../../e2e/api/client.js';
import { advance } from '../../kit/clock.ts';
import { deadLetters } from '../../kit/cord.ts';
import { comeToRest } from '../../kit/rest.ts';
import { type System, startSystem } from '../../kit/system.ts';
import { until } from '../../kit/until.ts';
import { boundsOf } from './bounds.js';
import { Crowd, type Person, settled } from './people.js';
import { instanceOf, moveClock, pause, processesOf } from './processes.js';

/*
 * Pauses each process of the whole system in turn and moves single clocks, while newcomers sign in with codes, mine, claim
 * and delete their accounts. Then audits the books of all databases at rest. A proof; PAUSES_* shorten it (bounds.ts).
 */

const bounds = boundsOf(process.env);
/** Maximum clock difference of participating processes, and of a call's duration, ms. */
const SKEW_MS = 5_000;
const REFERRERS = 3;
const BACK_MS_MAX = 180_000;
const LONG_MS = 3_600_000;
/** Time in which everybody mines at the end, ms. */
const LAST_MS = 120_000;

describe('a system under pauses and moved clocks', () => {
  let system: System;
  let store: Awaited<ReturnType<typeof openRunning>>;
  let crowd: Crowd;
  let restMs: number;
  let audited: Awaited<ReturnType<typeof findingsOf>>;
  const kept: Person[] = [];
  const stood: string[] = [];
  /** Total offset of the system's clock, ms. */
  let movedMs = 0;
  const trueMs = () => performance.now() + movedMs;
  const accounts = () => store.databaseOf('mining').collection<AccountDoc>('accounts');
  const members = () => store.databaseOf('referrals').collection<Member>('members');

  beforeAll(async () => {
    system = await startSystem(['--replicas', '2']);
    store = await openRunning(system.dataDir);
    const codes = new Map<string, string>();
    for (let n = 0; n < REFERRERS; n += 1) {
      const cameAtMs = trueMs();
      const signed = await signInByBearer(system.origin, 5.5);
      kept.push({ signed, cameAtMs, years: 5.5, referrerId: null, deleted: false, done: [] });
      const { body } = await settled(signed, 'GET', `/referrals/${signed.userId}/stats`);
      codes.set(signed.userId, (body as { referralCode: string }).referralCode);
    }
    crowd = new Crowd(system.origin, codes, trueMs);
    crowd.start(bounds.lanes);
    await everyProcessStands();
    await clocksMove();
    await crowd.end();
    await until('everything is ready', () => system.healthy(), BACK_MS_MAX);
    kept.push(...crowd.people);
    // Earnings of a running node are published at most twice a minute; at rest no node runs.
    for (const { signed, deleted } of kept)
      if (!deleted) await settled(signed, 'POST', `/users/${signed.userId}/deactivate-node`, {});
    restMs = await rest();
    audited = await findingsOf(store.databaseOf, { nowMs: restMs }, { tries: 3, pauseMs: 1_000, together: 100 });
    const { users, referrals } = audited.audited;
    console.log(
      `${stood.length} pauses and moves, ${crowd.people.length} people came, ${crowd.lost} sign-ins and ${crowd.unanswered} calls came to nothing; ` +
        `${users.accounts} accounts, ${users.entries} entries, ${referrals.friends} friends`,
    );
  }, LONG_MS);
  afterAll(async () => {
    await store?.close();
    await system?.stop();
  });

  async function everyProcessStands(): Promise<void> {
    const processes = await processesOf(system.dataDir, bounds.victims);
    const all = Array.from({ length: bounds.rounds }, () => processes).flat();
    const stepMs = (bounds.pauseMsMax - bounds.pauseMsMin) / Math.max(1, all.length - 1);
    for (const [n, { name, index }] of all.entries()) {
      const { pid } = await instanceOf(system.dataDir, name, index);
      // Another order in each round, so that no service always has the longest pause.
      const turn = (n * 7) % all.length;
      const ms = Math.round(await pause(pid, bounds.pauseMsMin + stepMs * turn));
      stood.push(`${name} ${index} stood for ${ms} ms`);
      console.log(stood.at(-1));
      await sleep(500);
    }
  }

  async function clocksMove(): Promise<void> {
    const services = bounds.victims.filter((name) => !['gateway', 'nats', 'store'].includes(name));
    for (const byMs of bounds.clocks) {
      for (const { name, index } of await processesOf(system.dataDir, services)) {
        if (index !== 0) continue;
        await moveClock(await instanceOf(system.dataDir, name, index), byMs);
        await sleep(bounds.aheadMs);
        // Its replacement starts with the system's clock.
        await system.crash(name, BACK_MS_MAX, index);
        stood.push(`the clock of ${name} ${index} was ${byMs / 1_000} s ahead`);
        console.log(stood.at(-1));
      }
    }
  }

  /**
   * Moves the system's clock until nothing waits; this counts as true time. Work under a moved clock may have delayed
   * its retry by that clock's lead, but not more.
   */
  async function rest(): Promise<number> {
    const beganMs = performance.now();
    const fromMs = await advance(system.origin, '1ms');
    if (bounds.clocks.length > 0) await advance(system.origin, `${Math.max(...bounds.clocks)}ms`);
    const nowMs = await comeToRest(system);
    movedMs += nowMs - fromMs - (performance.now() - beganMs);
    return nowMs;
  }

  test('pauses every process while newcomers mine, claim, refer and delete accounts', () => {
    expect(stood.length).toBeGreaterThanOrEqual(bounds.victims.length);
    expect(crowd.people.length).toBeGreaterThan(bounds.lanes);
    const acts = new Set(crowd.people.flatMap(({ done }) => done));
    expect([...acts]).toEqual(expect.arrayContaining(['start', 'compensation', 'check-in', 'visit', 'delete']));
    expect(audited.audited.referrals.friends).toBeGreaterThan(0);
  });

  test('has no audit finding: each claim in exactly one place, commission exact, no referral circle, every key fits', () => {
    expect(audited.lines).toEqual([]);
  });

  test('loses no referral code of a newcomer', async () => {
    const brought = kept.filter(({ referrerId, deleted }) => referrerId !== null && !deleted);
    const found = await members()
      .find({ _id: { $in: brought.map(({ signed }) => signed.userId) } })
      .toArray();
    const linked = new Map(found.map(({ _id, referredBy }) => [_id, referredBy?.userId]));
    const lost = brought.filter(({ signed, referrerId }) => linked.get(signed.userId) !== referrerId);
    expect(lost.map(({ signed }) => signed.userId)).toEqual([]);
  });

  test('parks nothing and leaves no dead letter', async () => {
    for (const [service, name] of [
      ['tasks', 'records'],
      ['tasks', 'streaks'],
      ['rewards', 'holders'],
      ['referrals', 'members'],
    ] as const)
      expect(
        await store
          .databaseOf(service)
          .collection(name)
          .countDocuments({ parkedAt: { $exists: true } }),
        name,
      ).toBe(0);
    expect(await deadLetters(system.dataDir)).toMatch(/^0 dead letters$/m);
  });

  test('pays nobody more than rate times true time', async () => {
    const epochs = await store.databaseOf('mining').collection<EpochsDoc>('epochs').findOne({ _id: 'table' });
    const untilMs = trueMs();
    for (const { signed, cameAtMs, years } of kept) {
      const account = await accounts().findOne({ _id: signed.userId });
      if (!account) continue;
      const mostMs = untilMs - cameAtMs + SKEW_MS;
      expect(account.node.ranMs, signed.userId).toBeLessThanOrEqual(mostMs);
      const tier = tierHundredths(FIRST_BOOK, years * YEAR_MS + mostMs);
      const rate = rateNano(FIRST_BOOK, {
        tierHundredths: tier,
        antiCheatHundredths: 100n,
        badge: false,
        epochHundredths: highestEpoch(epochs),
      });
      const most = (rate * BigInt(Math.ceil(mostMs))) / 60_000_000n;
      expect(account.totals.bySource.mining ?? 0n, signed.userId).toBeLessThanOrEqual(most);
    }
  });

  test('lets everyone who stayed earn again, with no loss beyond the clock skew', async () => {
    const left = kept.filter(({ deleted }) => !deleted);
    for (const { signed } of left)
      expect((await settled(signed, 'POST', `/users/${signed.userId}/mining/start`, {})).status).toBe(200);
    const ranOf = async ({ signed }: Person) => (await accounts().findOne({ _id: signed.userId }))?.node.ranMs ?? 0;
    const look = ({ signed }: Person) => settled(signed, 'GET', `/users/${signed.userId}/mining/current`);
    for (const person of left) await look(person);
    const before = await Promise.all(left.map(ranOf));
    await advance(system.origin, `${LAST_MS}ms`);
    for (const person of left) await look(person);
    const after = await Promise.all(left.map(ranOf));
    const behind = left.filter((_, n) => (after[n] ?? 0) - (before[n] ?? 0) < LAST_MS - SKEW_MS);
    expect(behind.map(({ signed }) => signed.userId)).toEqual([]);
  });
});
