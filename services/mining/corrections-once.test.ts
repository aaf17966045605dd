import { correctionEndpoints } from '@cord/contracts/http/corrections';
import { openAuditLog } from '@cord/kit/audit-log';
import { createIdempotency } from '@cord/kit/idempotency';
import { createTestClock, randomId, startTestStore } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test } from 'vitest';
import { createCorrections } from './corrections.js';
import { data } from './data.js';
import { mountCorrections } from './http/corrections.js';
import type { Ledger } from './ledger/ledger.js';

const backend = forAllTests(() => startTestStore({ data }));

test('a proposal is created once when a stalled replica resumes after its call ran again', async () => {
  const clock = createTestClock(1_790_000_000_000);
  const ledger = { read: async () => ({ erasedAtMs: null }) } as unknown as Ledger;
  const corrections = createCorrections({ store: backend.store, ledger, clock });
  const audit = openAuditLog(backend.store, clock);
  const [admin, userId, key] = [randomId(), randomId(), randomId()];
  let goOn: () => void = () => undefined;
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const callAt = (now: () => number, waits: Promise<void>) => {
    const handlers = new Map<string, (call: object) => Promise<unknown>>();
    const http = { route: ({ id }: { id: string }, run: never) => void handlers.set(id, run) };
    const refusalOf = () => waits.then(() => null);
    mountCorrections(http as never, { ...corrections, refusalOf }, audit);
    const call = { user: { id: admin }, params: { id: userId }, body: { amount: 1, reason: 'Lost' } };
    const run = async () => ({ status: 200, body: await handlers.get(correctionEndpoints.propose.id)?.(call) });
    return createIdempotency(backend.store, { now }).once({ userId: admin, route: 'r', key, input: {} }, run);
  };
  const stalledMs = clock.now();
  const first = callAt(() => stalledMs, going);
  const running = () => backend.store.collection('idempotency_keys').findOne({ answer: null, problem: null });
  await expect.poll(running).not.toBeNull();
  await clock.advance(60_000);
  const second = await callAt(clock.now, Promise.resolve());
  goOn();
  const idOf = ({ body }: { body: unknown }) => (body as { id: string }).id;
  expect(idOf(await first)).toBe(idOf(second));
  expect(await corrections.list('open', { fromMs: 0, belowMs: Number.MAX_SAFE_INTEGER }, 9)).toHaveLength(1);
  expect(await audit.newest({ after: null, limit: 9 })).toHaveLength(1);
});
