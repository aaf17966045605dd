/* Addresses of badge, claims and prices: what a caller needs. The schemas stand in http/rewards.ts. */

export const compensation = {
  id: 'compensation.claim',
  method: 'POST',
  path: '/compensation/claim',
  access: 'self',
} as const;
export const compensationStatus = {
  id: 'compensation.status',
  method: 'GET',
  path: '/compensation/status',
  access: 'user',
} as const;
export const cordClaim = {
  id: 'cordClaims.claim',
  method: 'POST',
  path: '/cord-claims/claim',
  access: 'self',
} as const;
export const cordClaimHistory = {
  id: 'cordClaims.history',
  method: 'GET',
  path: '/cord-claims/history/:userId',
  access: 'self',
} as const;
export const createOrder = { id: 'badgeOrders.create', method: 'POST', path: '/badge-orders', access: 'user' } as const;
export const orders = { id: 'badgeOrders.list', method: 'GET', path: '/badge-orders', access: 'user' } as const;
export const order = { id: 'badgeOrders.get', method: 'GET', path: '/badge-orders/:id', access: 'user' } as const;
export const purchase = {
  id: 'badgePurchases.create',
  method: 'POST',
  path: '/badge-purchases',
  access: 'self',
} as const;
export const purchases = {
  id: 'badgePurchases.list',
  method: 'GET',
  path: '/users/:id/badge-purchases',
  access: 'self',
} as const;
export const walletSettings = {
  id: 'wallet.settings',
  method: 'GET',
  path: '/wallet/settings',
  access: 'user',
} as const;
export const refunds = { id: 'admin.refunds', method: 'GET', path: '/admin/refunds', access: 'admin' } as const;
export const returnRefund = {
  id: 'admin.returnRefund',
  method: 'PUT',
  path: '/admin/refunds/:id',
  access: 'admin',
} as const;
export const solPrice = { id: 'prices.sol', method: 'GET', path: '/prices/sol', access: 'user' } as const;
export const rpc = { id: 'solana.rpc', method: 'POST', path: '/rpc', access: 'user' } as const;
export * from './epochs.js';
