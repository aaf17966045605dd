/* Addresses of sign-in, for callers. The schemas are in http/auth.ts. */

import { addressOf } from '../address.js';

export const exchange = addressOf('auth.exchange', 'POST', '/auth/discord/callback', 'public');
export const me = addressOf('auth.me', 'GET', '/auth/me', 'user');
export const acknowledgeWelcome = addressOf('auth.acknowledgeWelcome', 'POST', '/auth/me/welcome', 'user');
export const logout = addressOf('auth.logout', 'POST', '/auth/logout', 'user');
export const sessions = addressOf('auth.sessions', 'GET', '/auth/sessions', 'user');
export const endSessions = addressOf('auth.endSessions', 'DELETE', '/auth/sessions', 'user');
export const endSession = addressOf('auth.endSession', 'DELETE', '/auth/sessions/:id', 'user');
export const jwks = addressOf('auth.jwks', 'GET', '/auth/.well-known/jwks.json', 'public');

/** Problem type of a call refused because its sign-in is not recent enough (`fresh` in the contract). */
export const SIGN_IN_TOO_OLD = 'sign-in-too-old';

/** Path that starts a new sign-in and returns to the current page. @param search query of the page's address, which names its tab */
export const signInAgainAt = (search: string): string => `/api/auth/discord?back=${encodeURIComponent(search)}`;
