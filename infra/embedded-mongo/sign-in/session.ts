import type { Conversation } from './scram.js';
import type { SignedIn } from './users.js';

/** What the server knows of one connection. */
export interface Session {
  readonly connectionId: number;
  /** Who has signed in on it. */
  user: SignedIn | undefined;
  /** A sign-in that is under way. */
  pending: { conversation: Conversation; skipsEmptyExchange: boolean; isProven: boolean } | undefined;
}

export const newSession = (connectionId: number): Session => ({ connectionId, user: undefined, pending: undefined });
