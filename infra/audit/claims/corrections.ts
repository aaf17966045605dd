import type { Paid } from './paid.js';

/** Checks corrections against the ledger, both ways: each entry must have a proposal, made and confirmed by two operators other than the account's owner. */
export function checkCorrections(paid: Paid): void {
  const { books, corrections, found } = paid;
  const proposals = new Map(books.corrections.map((proposal) => [proposal._id, proposal]));
  for (const [id, micro] of corrections)
    if (proposals.get(id)?.status !== 'confirmed') found.wrong(`correction ${id} is booked and not confirmed`, micro);
  for (const { _id, userId, status, amountMicro, proposedBy, decidedBy, decidedAtMs, dueAtMs } of proposals.values()) {
    if (status !== 'confirmed') continue;
    if (decidedBy === null || new Set([proposedBy, decidedBy, userId]).size < 3)
      found.wrong(`correction ${_id} is confirmed by ${decidedBy}, proposed by ${proposedBy}`, amountMicro);
    const booked = corrections.get(_id);
    if (booked !== undefined) found.sum(`correction ${_id}`, booked, amountMicro);
    else if (dueAtMs !== undefined) found.late(`correction ${_id} is not booked`, decidedAtMs ?? dueAtMs, amountMicro);
    else found.wrong(`correction ${_id} is confirmed and has no entry`, amountMicro);
  }
}
