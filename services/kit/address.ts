import { createHmac, hkdfSync } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * The keyed hash under which an address is remembered (decisions: keyed hash, 30 days), 32 hex characters;
 * null for an address that never counts. The same in every service that holds ADDRESS_HASH_KEY.
 */
export type AddressHash = (address: string) => string | null;

const HASH_HEX_LENGTH = 32;

/** @param secret ADDRESS_HASH_KEY. */
export function createAddressHash(secret: string): AddressHash {
  const key = Buffer.from(hkdfSync('sha256', secret, 'cord', 'network address', 32));
  return (address) => {
    const counted = countedAddress(address);
    if (counted === null) return null;
    return createHmac('sha256', key).update(counted).digest('hex').slice(0, HASH_HEX_LENGTH);
  };
}

/**
 * The keyed hash of any address, private ones too, for budgets of calls that count in the store: another one than that
 * of anti-cheat, so that the two tell nothing of each other.
 * @param secret ADDRESS_HASH_KEY
 */
export function createLimitHash(secret: string): (address: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, 'cord', 'rate limits by address', 32));
  return (address) => createHmac('sha256', key).update(address).digest('hex').slice(0, HASH_HEX_LENGTH);
}

/**
 * What counts as one network address for anti-cheat: an IPv4 address, or an IPv6 network of /64
 * (decisions, Anti-cheat). Null for private, loopback, link-local, 100.64/10, ULA and everything that is no
 * public unicast address: they say nothing about who shares a line.
 */
export function countedAddress(address: string): string | null {
  const plain = address.split('%')[0] ?? '';
  if (isIP(plain) === 4) return countedV4(plain);
  if (isIP(plain) === 6) return countedV6(plain);
  return null;
}

function countedV4(text: string): string | null {
  const [a = 0, b = 0, c = 0] = text.split('.').map(Number);
  const reserved =
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && c === 0) ||
    (a === 198 && (b === 18 || b === 19));
  return reserved ? null : text;
}

function countedV6(text: string): string | null {
  const groups = v6Groups(text);
  const mapped = mappedV4(groups);
  if (mapped) return countedV4(mapped);
  const first = groups[0] ?? 0;
  const globalUnicast = first >= 0x2000 && first <= 0x3fff;
  if (!globalUnicast) return null;
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight 16-bit groups of an IPv6 text that `isIP` has accepted. */
function v6Groups(text: string): number[] {
  const [head = '', tail] = withHexTail(text).split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail === undefined) return left.map(hex);
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map(hex);
}

/** `::ffff:1.2.3.4` written with hexadecimal groups only. */
function withHexTail(text: string): string {
  const match = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!match) return text;
  const [, head = '', a, b, c, d] = match;
  const group = (high: unknown, low: unknown) => ((Number(high) << 8) | Number(low)).toString(16);
  return `${head}${group(a, b)}:${group(c, d)}`;
}

function mappedV4(groups: number[]): string | null {
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function hex(group: string): number {
  return Number.parseInt(group, 16);
}
