import { hkdfSync } from 'node:crypto';

/**
 * Derives the key with which the gateway identifies callers to one service. Each service has its own key, so a key stolen from one service
 * opens no other.
 * @param gatewayKey GATEWAY_KEY
 * @returns CALLER_KEY of the service, 64 hex characters
 */
export function callerKeyOf(gatewayKey: string, service: string): string {
  return Buffer.from(hkdfSync('sha256', gatewayKey, 'cord', `caller of ${service}`, 32)).toString('hex');
}
