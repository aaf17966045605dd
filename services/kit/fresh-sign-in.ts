import { FRESH_SIGN_IN_MS } from '@cord/contracts/rules/timings';
import { forbidden } from './problem.js';
import type { SessionUser } from './session.js';

/**
 * Before an operator's act on rights, money or what is published: whoever finds a signed-in page of an admin's makes nobody an admin with
 * it, moves no money, and brings no other code into everybody's browser.
 * @throws Problem 403 `sign-in-too-old`
 */
export function requireFreshSignIn({ issuedAtMs }: Pick<SessionUser, 'issuedAtMs'>, nowMs: number): void {
  if (nowMs - issuedAtMs <= FRESH_SIGN_IN_MS) return;
  throw forbidden('sign-in-too-old', 'Please sign in again: your sign-in must be at most 10 minutes old for this.');
}
