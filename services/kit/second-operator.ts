import type { SessionUser } from './caller.js';
import { conflict, forbidden, type Problem } from './problem.js';

/**
 * Requires a second operator: another account than the proposer's, and an admin for long enough before (services/auth/README.md). An
 * operator who grants the role to a second account of their own must wait at least a day before that account may confirm a proposal.
 * @param what noun in the refusal's text: `correction`
 * @throws Problem 403, or 409 when the role is too new for the proposal
 */
export function requireSecondOperator(
  { id, confirmsFromMs }: Pick<SessionUser, 'id' | 'confirmsFromMs'>,
  { proposedBy, proposedAtMs }: { proposedBy: string; proposedAtMs: number },
  what: string,
): void {
  if (proposedBy === id) throw forbidden('second-operator-needed', `Another operator has to confirm this ${what}`);
  if (confirmsFromMs === undefined || confirmsFromMs > proposedAtMs)
    throw conflict(
      'role-too-new',
      `You became an operator after this ${what} was proposed, or less than a day before. Someone who has been one for longer has to confirm it.`,
    );
}

/** 409: the state that an operators' act is based on, or has produced, no longer holds. */
export const alreadyChanged = (): Problem => conflict('no-longer-so', 'This has changed since or is already undone.');

/** Refusal when operators act on their own balance or rate: another one must do it. */
export function ownAccountRefused(): Problem {
  return forbidden('own-account', 'Another operator has to correct your own account');
}
