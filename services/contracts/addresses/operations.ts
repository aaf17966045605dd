/* Addresses of what operators put right: what a caller needs. The schemas stand in http/operations.ts. */

export const parkedCredits = {
  id: 'admin.parkedCredits',
  method: 'GET',
  path: '/admin/parked-credits',
  access: 'admin',
} as const;
export const retryParkedCredit = {
  id: 'admin.retryParkedCredit',
  method: 'POST',
  path: '/admin/parked-credits/retry',
  access: 'admin',
} as const;
