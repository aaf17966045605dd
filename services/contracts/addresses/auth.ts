/* Addresses of signing in: what a caller needs. The schemas stand in http/auth.ts. */

import { addressOf } from '../address.js';

export const exchange = addressOf('auth.exchange', 'POST', '/auth/discord/callback', 'public');
export const me = addressOf('auth.me', 'GET', '/auth/me', 'user');
export const acknowledgeWelcome = addressOf('auth.acknowledgeWelcome', 'POST', '/auth/me/welcome', 'user');
export const logout = addressOf('auth.logout', 'POST', '/auth/logout', 'user');
export const sessions = addressOf('auth.sessions', 'GET', '/auth/sessions', 'user');
export const endSessions = addressOf('auth.endSessions', 'DELETE', '/auth/sessions', 'user');
export const endSession = addressOf('auth.endSession', 'DELETE', '/auth/sessions/:id', 'user');
export const jwks = addressOf('auth.jwks', 'GET', '/auth/.well-known/jwks.json', 'public');

/** Type of the refusal of a call that wants a sign-in of the last minutes (`fresh` in the contract). */
export const SIGN_IN_TOO_OLD = 'sign-in-too-old';

/** Where a new sign-in begins that comes back to this very page. @param search of the page's address, which names its tab */
export const signInAgainAt = (search: string): string => `/api/auth/discord?back=${encodeURIComponent(search)}`;
