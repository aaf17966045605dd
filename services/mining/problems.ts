import { ERASED_USER } from '@cord/contracts/rpc/ledger';
import { TEXTS } from '@cord/contracts/texts';
import { conflict, notFound, type Problem, refused, unavailable } from '@cord/kit/problem';
import { ACCOUNT_NOT_OPEN_YET, LedgerRefusal, refuse } from './ledger/refusal.js';

/** Runs a ledger operation and converts its refusals to problem details. */
export async function withProblems<R>(run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof LedgerRefusal ? problemOf(error) : error;
  }
}

/** Converts a refusal of the ledger to a problem: 503 when it can be retried, else a problem that names the rule. */
export function problemOf(refusal: LedgerRefusal): Problem {
  if (refusal.retryable) return unavailable(`ledger-${refusal.type}`, refusal.message, 1, refusal);
  if (refusal.type === ERASED_USER) return notFound(refusal.type, TEXTS.userNotFound);
  if (refusal.type === 'key-conflict') return conflict(refusal.type, refusal.message);
  return refused(refusal.type, refusal.message);
}

/** 503 for a signed-in user without an account yet: it opens with the next delivery of `user.registered`. */
export function accountNotOpenYet(): Problem {
  return problemOf(refuse('unknown-user', ACCOUNT_NOT_OPEN_YET));
}

/** 404: the session does not exist or belongs to another user. */
export function sessionNotFound(): Problem {
  return notFound('session-not-found', 'Mining session not found');
}
