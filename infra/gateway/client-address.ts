import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The address of the client: the peer's own, unless the peer is a trusted proxy; then the nearest address in
 * X-Forwarded-For that is not one (interface.md, Environment: TRUSTED_PROXIES).
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  const peer = plain(request.socket.remoteAddress ?? '');
  const chain = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => plain(part.trim()))
    .reverse();
  let nearest = peer;
  for (const hop of chain) {
    if (!isTrusted(nearest, trusted) || isIP(hop) === 0) break;
    nearest = hop;
  }
  return nearest;
}

export function isTrusted(address: string, trusted: BlockList): boolean {
  return isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** An IPv4 address that came over a dual-stack socket, written as what it is. */
function plain(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return v4?.[1] ?? address;
}
