import type { Conversation } from './scram.js';
import type { SignedIn } from './users.js';

/** The state of one connection. */
export interface Session {
  readonly connectionId: number;
  /** The signed-in user. */
  user: SignedIn | undefined;
  /** A sign-in in progress. */
  pending: { conversation: Conversation; skipsEmptyExchange: boolean; isProven: boolean } | undefined;
}

export const newSession = (connectionId: number): Session => ({ connectionId, user: undefined, pending: undefined });
