import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Sighting } from '../../services/rewards/chain/wallet-network.js';
import { comeToRest } from '../test/kit/rest.ts';
import { type System, startSystem } from '../test/kit/system.ts';
import type { ChainRules } from './payments/chain.js';
import { chainRules } from './reading.js';
import { claims } from './test/damages/claims.js';
import { commission } from './test/damages/commission.js';
import { ledger } from './test/damages/ledger.js';
import { payments } from './test/damages/payments.js';
import { Damaging } from './test/damaging.js';
import { type Life, normalLife } from './test/life.js';
import { findingsOf, openHalted, openRunning, ROOT } from './test/system.js';

/*
 * Many kinds of damage, made directly in the store after a simulated life, are each found; the undamaged store has no finding.
 * This is a proof, because the life of the whole system takes longer than a test may.
 */

const DAMAGES = [...ledger, ...claims, ...commission, ...payments];

describe('damage in the store', () => {
  let system: System;
  let life: Life;
  let store: Awaited<ReturnType<typeof openHalted>>;
  let damaging: Damaging;
  let nowMs: number;
  let chain: ChainRules;
  const seen = new Map<string, Sighting>();

  beforeAll(async () => {
    system = await startSystem();
    life = await normalLife(system);
    const running = await openRunning(system.dataDir);
    nowMs = await comeToRest(system);
    const { services } = await system.running();
    const rules = await chainRules(ROOT, services.solana?.[0]?.url ?? '', () => nowMs);
    // The chain's responses while it is readable; it has not seen anything else.
    const sighting: ChainRules['sighting'] = async (signature) => {
      const found = await rules.sighting(signature);
      seen.set(signature, found);
      return found;
    };
    const { lines } = await findingsOf(running.databaseOf, { nowMs, chain: { ...rules, sighting } });
    expect(lines).toEqual([]);
    await running.close();
    await system.halt();
    chain = { ...rules, sighting: async (signature) => seen.get(signature) ?? { kind: 'unseen' } };
    store = await openHalted(system.dataDir);
    damaging = new Damaging(store.databaseOf);
  });
  afterEach(() => damaging.undo());
  afterAll(async () => {
    await store?.close();
    await system?.stop();
  });

  const audit = async () => (await findingsOf(store.databaseOf, { nowMs, chain })).lines;

  test('is not found after a normal life', async () => {
    const { lines, audited } = await findingsOf(store.databaseOf, { nowMs, chain });
    expect(lines).toEqual([]);
    expect(audited).toMatchObject({
      users: { accounts: 7 },
      referrals: { referrers: 2, friends: 3 },
      payments: { orders: 3, refunds: 2, notices: 2 },
    });
    expect(audited.users.entries).toBeGreaterThan(50);
    expect(audited.payments.transactions).toBeGreaterThan(3);
  });

  test.each(DAMAGES)('is found, and gone after its repair: %s', async (_, apply, found) => {
    await apply(damaging, life);
    expect(await audit()).toContainEqual(expect.stringMatching(found));
    await damaging.undo();
    expect(await audit()).toEqual([]);
  });
});
