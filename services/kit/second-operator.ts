import type { SessionUser } from './caller.js';
import { conflict, forbidden, type Problem } from './problem.js';

/**
 * Of what takes two operators: the second one is another account than the one that proposed it, and was an admin long enough
 * before (services/auth/README.md). An operator who gives the role to a second account of their own waits a day at least before a proposal that this account may confirm.
 * @param what of the refusal's text: `correction`
 * @throws Problem 403, or 409 where the role is too new for the proposal
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

/** 409: what an act of operators was decided on, or has made, is no longer so. */
export const noLongerSo = (): Problem => conflict('no-longer-so', 'This has changed since or is already undone.');

/** The refusal of an act of operators on their own balance or rate: another one has to do it. */
export function ownAccount(): Problem {
  return forbidden('own-account', 'Another operator has to correct your own account');
}
