import { PURCHASE_RESET_MS } from '@cord/contracts/rules/timings';
import { beforeEach, expect, test, vi } from 'vitest';
import { createPurchaseMachine, IDLE, nextPurchase, type PurchaseEvent, type PurchaseView } from './purchase-machine';

const failure = new Error('no');
const FROM: PurchaseView[] = [
  IDLE,
  { state: 'idle', failure },
  { state: 'processing', failure: null },
  { state: 'success', failure: null },
  { state: 'error', failure },
];

test.each<[PurchaseEvent, PurchaseView]>([
  [{ kind: 'begun' }, { state: 'processing', failure: null }],
  [{ kind: 'ended' }, IDLE],
  [
    { kind: 'declined', failure },
    { state: 'idle', failure },
  ],
  [
    { kind: 'failed', failure },
    { state: 'error', failure },
  ],
  [{ kind: 'proven' }, { state: 'success', failure: null }],
])('%o leads to the same view from every state', (event, view) => {
  for (const from of FROM) expect(nextPurchase(from, event)).toEqual(view);
});

test('the reason of a failure stays after the reset', () => {
  expect(nextPurchase({ state: 'error', failure }, { kind: 'rested' })).toEqual({ state: 'idle', failure });
});

beforeEach(() => void vi.useFakeTimers());

test('success and error are reset after their time; processing is not', () => {
  const { view, send } = createPurchaseMachine();
  send({ kind: 'failed', failure });
  vi.advanceTimersByTime(PURCHASE_RESET_MS - 1);
  expect(view.get().state).toBe('error');
  send({ kind: 'proven' });
  vi.advanceTimersByTime(PURCHASE_RESET_MS - 1);
  expect(view.get().state).toBe('success');
  vi.advanceTimersByTime(1);
  expect(view.get()).toEqual(IDLE);
  send({ kind: 'failed', failure });
  send({ kind: 'begun' });
  vi.advanceTimersByTime(PURCHASE_RESET_MS);
  expect(view.get().state).toBe('processing');
});
