import type { SessionUser } from './caller.js';
import { conflict, forbidden } from './problem.js';

/**
 * Of what takes two operators: the second one is another account than the one that proposed it, and was an admin before. An operator who
 * gives the role to a second account of their own finds no proposal that this account may confirm.
 * @param what of the refusal's text: `correction`
 * @throws Problem 403, or 409 where the role began after the proposal
 */
export function requireSecondOperator(
  { id, adminSinceMs }: Pick<SessionUser, 'id' | 'adminSinceMs'>,
  { proposedBy, proposedAtMs }: { proposedBy: string; proposedAtMs: number },
  what: string,
): void {
  if (proposedBy === id) throw forbidden('second-operator-needed', `Another operator has to confirm this ${what}`);
  if (adminSinceMs !== undefined && adminSinceMs > proposedAtMs)
    throw conflict(
      'role-too-new',
      `You became an operator after this ${what} was proposed. Someone who was one before has to confirm it.`,
    );
}
