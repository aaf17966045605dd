/** A valid `claim.made` event of a user. @param at ms since epoch; the same time gives the same text */
export const claim = (userId: string, seq: string | number | bigint = 1, amountMicro = '5', at = Date.now()) => ({
  v: 1,
  id: `claim:${userId}:${seq}`,
  at,
  userId,
  seq: String(seq),
  kind: 'compensation',
  amountMicro,
  claimedAt: at,
  claims: { compensation: null, cordclaim: null },
});
