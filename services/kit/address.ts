import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createKeyedHash } from './keyed-hash.js';

/**
 * The keyed hash under which an address is remembered (kept for 30 days), 32 hex characters;
 * null for an address that never counts. The same in every service that holds ADDRESS_HASH_KEY.
 */
export type AddressHash = (address: string) => string | null;

const HASH_HEX_LENGTH = 32;

/** @param secret ADDRESS_HASH_KEY. */
export function createAddressHash(secret: string): AddressHash {
  const hash = createKeyedHash(secret, 'network address', 'hex');
  return (address) => {
    const counted = countedAddress(address);
    return counted === null ? null : hash(counted).slice(0, HASH_HEX_LENGTH);
  };
}

/**
 * The keyed hash of any address, private ones too, for budgets of calls that count in the store: another one than that
 * of anti-cheat, so that the two cannot be matched.
 * @param secret ADDRESS_HASH_KEY
 */
export function createLimitHash(secret: string): (address: string) => string {
  const hash = createKeyedHash(secret, 'rate limits by address', 'hex');
  return (address) => hash(address).slice(0, HASH_HEX_LENGTH);
}

/** Ranges of public lines; 6to4 and Teredo lead to one each. */
const PUBLIC_RANGES: ReadonlySet<string> = new Set(['unicast', '6to4', 'teredo']);
/** Documentation's (RFC 5737, 3849): no line has one, so that they stand for public ones in tests. */
const EXAMPLES = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map(ipaddr.parseCIDR);

/** The address that a text is, IPv4 in IPv6 as IPv4, without zone; null for what is none. */
export function addressIn(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const plain = text.replace(/%.*$/, '');
  return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

/**
 * What counts as one network address for anti-cheat: an IPv4 address, or an IPv6 network of /56. Null for private, loopback, link-local, 100.64/10, ULA and everything that is no
 * public unicast address: they do not show who shares a line.
 */
export function countedAddress(text: string): string | null {
  const address = addressIn(text);
  if (address === null) return null;
  const isExample = EXAMPLES.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits));
  return isExample || PUBLIC_RANGES.has(address.range()) ? lineOf(address) : null;
}

/** Whether an address is one of the public network: not of a home network, a machine or a test. */
export function isPublicAddress(text: string): boolean {
  const address = addressIn(text);
  return address !== null && address.range() === 'unicast';
}

/** What limits by address go by: the address, for IPv6 its /56. */
export function addressKey(text: string): string {
  const address = addressIn(text);
  return address === null ? text : lineOf(address);
}

/** One line: an IPv4 address, or the /56 of an IPv6 address, which is what a provider gives one customer at least. */
function lineOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const [first, second, third, fourth = 0] = address.parts;
  const network = [first, second, third, fourth & 0xff00].map((group) => group?.toString(16));
  return `${network.join(':')}::/56`;
}
