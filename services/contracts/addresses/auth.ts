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
