import { correctionEndpoints as api } from '@cord/contracts/http/corrections';
import { expect, it } from 'vitest';
import type { Corrections } from '../corrections.js';
import { mountCorrections } from './corrections.js';

const [USER, ADMIN, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string];
type Handler = (call: object) => Promise<unknown>;

/** The calls, with an account that an erasure takes between the look at it and the write. */
function besideErasure() {
  const handlers = new Map<string, Handler>();
  const forgotten: string[] = [];
  const http = { route: ({ id }: { id: string }, handler: Handler) => void handlers.set(id, handler) };
  const open = {
    _id: '1',
    userId: USER,
    amountMicro: 1n,
    reason: '',
    status: 'open',
    proposedBy: OTHER,
    proposedAtMs: 0,
  };
  const corrections = {
    draft: () => open,
    get: async () => ({ ...open, decidedBy: null, decidedAtMs: null }),
    refusalOf: async () => null,
    propose: async () => false,
    decide: async () => null,
    isGone: async () => true,
  } as unknown as Corrections;
  const audit = { write: async () => undefined, forget: async (whose: string) => void forgotten.push(whose) };
  mountCorrections(http as never, corrections, audit);
  const run = (id: string, call: object) => handlers.get(id)?.({ user: { id: ADMIN }, ...call });
  return { run, forgotten };
}

it.each([
  [api.propose.id, { params: { id: USER }, body: { amount: 1, reason: 'Lost' } }, 404],
  [api.decide.id, { params: { id: '1' }, body: { decision: 'withdraw', reason: 'No' } }, 409],
])('%s leaves no text when its account is erased concurrently', async (id, call, status) => {
  const { run, forgotten } = besideErasure();
  await expect(run(id, call)).rejects.toMatchObject({ status });
  expect(forgotten).toEqual([USER]);
});
