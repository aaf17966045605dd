/** A `claim.made` of a user, fit for its stream. @param at ms since epoch; the same text comes of the same time */
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
