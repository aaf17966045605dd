/* Addresses of signing in: what a caller needs. The schemas stand in http/auth.ts. */

export const exchange = {
  id: 'auth.exchange',
  method: 'POST',
  path: '/auth/discord/callback',
  access: 'public',
} as const;
export const me = { id: 'auth.me', method: 'GET', path: '/auth/me', access: 'user' } as const;
export const acknowledgeWelcome = {
  id: 'auth.acknowledgeWelcome',
  method: 'POST',
  path: '/auth/me/welcome',
  access: 'user',
} as const;
export const logout = { id: 'auth.logout', method: 'POST', path: '/auth/logout', access: 'user' } as const;
export const sessions = { id: 'auth.sessions', method: 'GET', path: '/auth/sessions', access: 'user' } as const;
export const endSessions = {
  id: 'auth.endSessions',
  method: 'DELETE',
  path: '/auth/sessions',
  access: 'user',
} as const;
export const endSession = {
  id: 'auth.endSession',
  method: 'DELETE',
  path: '/auth/sessions/:id',
  access: 'user',
} as const;
export const jwks = { id: 'auth.jwks', method: 'GET', path: '/auth/.well-known/jwks.json', access: 'public' } as const;

/** Type of the refusal of a call that wants a sign-in of the last minutes (`fresh` in the contract). */
export const SIGN_IN_TOO_OLD = 'sign-in-too-old';

/** Where a new sign-in begins that comes back to this very page. @param search of the page's address, which names its tab */
export const signInAgainAt = (search: string): string => `/api/auth/discord?back=${encodeURIComponent(search)}`;
