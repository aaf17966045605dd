/* Addresses of the badge, claims and prices, for callers. The schemas are in http/rewards.ts. */

import { addressOf } from '../address.js';

export const compensation = addressOf('compensation.claim', 'POST', '/compensation/claim', 'self');
export const compensationStatus = addressOf('compensation.status', 'GET', '/compensation/status', 'user');
export const cordClaim = addressOf('cordClaims.claim', 'POST', '/cord-claims/claim', 'self');
export const cordClaimHistory = addressOf('cordClaims.history', 'GET', '/cord-claims/history/:userId', 'self');
export const createOrder = addressOf('badgeOrders.create', 'POST', '/badge-orders', 'user');
export const orders = addressOf('badgeOrders.list', 'GET', '/badge-orders', 'user');
export const order = addressOf('badgeOrders.get', 'GET', '/badge-orders/:id', 'user');
export const purchase = addressOf('badgePurchases.create', 'POST', '/badge-purchases', 'self');
export const purchases = addressOf('badgePurchases.list', 'GET', '/users/:id/badge-purchases', 'self');
export const walletSettings = addressOf('wallet.settings', 'GET', '/wallet/settings', 'user');
export const refunds = addressOf('admin.refunds', 'GET', '/admin/refunds', 'admin');
export const recordRefund = addressOf('admin.recordRefund', 'POST', '/admin/refunds', 'admin');
export const returnRefund = addressOf('admin.returnRefund', 'PUT', '/admin/refunds/:id', 'admin');
export const solPrice = addressOf('prices.sol', 'GET', '/prices/sol', 'user');
export const rpc = addressOf('solana.rpc', 'POST', '/rpc', 'user');
export * from './epochs.js';
