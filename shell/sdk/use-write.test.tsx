// @vitest-environment jsdom
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from './problem';
import { createTestSdk, problem } from './testing';
import { cleanup, renderWithSdk } from './testing/render';
import { useWrite } from './use-write';

afterEach(cleanup);
const CLAIM = rewardEndpoints.cordClaim;

function Claim({ label }: { label: string }) {
  const claim = useWrite(
    (api, _press: null, idempotencyKey) => api.call(CLAIM, { body: { userId: 'u' }, idempotencyKey }),
    {
      key: ['claim', 'u'],
      refresh: [['history']],
    },
  );
  return (
    <button type="button" onClick={() => claim.press(null)}>
      {label} {claim.isPending ? 'busy' : claim.error ? claim.error.message : 'free'}
    </button>
  );
}

test('every button of the same write shows it under way, and a press on any is the same press', async () => {
  const sdk = createTestSdk();
  sdk.api.hang(CLAIM);
  const { user } = renderWithSdk(
    <>
      <Claim label="one" />
      <Claim label="two" />
    </>,
    sdk,
  );
  await user.dblClick(screen.getByRole('button', { name: /one/ }));
  await user.click(await screen.findByRole('button', { name: 'two busy' }));
  expect(sdk.api.callsOf(CLAIM)).toHaveLength(1);
});

test('a refusal is said, the queries it is about are read again here and told to the other tabs', async () => {
  const sdk = createTestSdk();
  sdk.queries.setQueryData(['history'], []);
  sdk.api.fail(CLAIM, problem(409, 'Already claimed'));
  const { user } = renderWithSdk(<Claim label="one" />, sdk);
  await user.click(screen.getByRole('button'));
  await screen.findByRole('button', { name: 'one Already claimed' });
  expect(sdk.queries.getQueryState(['history'])?.isInvalidated).toBe(true);
  expect(sdk.told.map(({ kind }) => kind)).toEqual(['stale']);
});

test('an answer that was lost is asked for again before anybody hears of it', async () => {
  const sdk = createTestSdk();
  const lost = new ApiError({ kind: 'timeout', message: 'Network error' });
  sdk.api.on(CLAIM, () => {
    sdk.api.fail(CLAIM, problem(409, 'Already claimed'));
    throw lost;
  });
  const { user } = renderWithSdk(<Claim label="one" />, sdk);
  await user.click(screen.getByRole('button'));
  await screen.findByRole('button', { name: 'one Already claimed' });
  expect(new Set(sdk.api.callsOf(CLAIM).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});
