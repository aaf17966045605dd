import { claimMade } from '@cord/contracts/events/rewards';
import { isEvent } from '@cord/kit/outbox/items';
import { expect, test } from 'vitest';
import { afterClaim, type HolderDocument } from './store.js';

const USER = 'a'.repeat(32);
const credit = (source: 'compensation' | 'cordclaim', amountMicro: bigint) => ({
  kind: 'credit' as const,
  key: `${source}:${USER}`,
  userId: USER,
  source,
  amountMicro,
  reason: 'test',
});
const noClaims: HolderDocument = {
  _id: USER,
  seq: 0n,
  joinedAtMs: 1,
  returning: false,
  badge: null,
  compensation: null,
  cordClaim: null,
};
const payloadOf = (holder: HolderDocument, key: string) =>
  claimMade.schema.parse(holder.outbox?.filter(isEvent).find((item) => item.key === key)?.payload);

test('the event of a claim contains all claims of the user so far', () => {
  const first = afterClaim(noClaims, 'compensation', credit('compensation', 5n), 10);
  const compensation = { amountMicro: '5', claimedAt: 10 };
  expect(payloadOf(first, `claim:compensation:${USER}`)).toMatchObject({
    kind: 'compensation',
    ...compensation,
    claims: { compensation, cordclaim: null },
  });
  const second = afterClaim({ ...first, seq: 1n }, 'cordClaim', credit('cordclaim', 7n), 20);
  const cordclaim = { amountMicro: '7', claimedAt: 20 };
  expect(payloadOf(second, `claim:cordClaim:${USER}`)).toMatchObject({
    seq: '2',
    kind: 'cordclaim',
    ...cordclaim,
    claims: { compensation, cordclaim },
  });
});
