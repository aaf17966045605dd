/*
 * The key under which the gateway says to one service who calls. Each service is given its own, so that what is taken from one service speaks to
 * no other. Plain JavaScript, because the start makes them before anything is built.
 */
import { hkdfSync } from 'node:crypto';

/**
 * @param {string} gatewayKey GATEWAY_KEY
 * @param {string} service
 * @returns {string} its CALLER_KEY, 64 hex characters
 */
export function callerKeyOf(gatewayKey, service) {
  return Buffer.from(hkdfSync('sha256', gatewayKey, 'cord', `caller of ${service}`, 32)).toString('hex');
}
