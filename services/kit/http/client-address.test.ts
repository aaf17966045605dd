import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKey } from '../address.js';
import { clientAddress as addressOf, trustedProxies } from './client-address.js';

const none = trustedProxies(['loopback']);
const proxies = trustedProxies(['loopback', '10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);
const clientAddress = (peer: string, forwardedFor: string | undefined, trusted: typeof none) =>
  addressOf({ socket: { remoteAddress: peer || undefined }, headers: { 'x-forwarded-for': forwardedFor } }, trusted);
const publicV4 = fc
  .tuple(fc.integer({ min: 11, max: 126 }), fc.nat(255), fc.nat(255), fc.nat(255))
  .map((parts) => parts.join('.'));

describe('the client address', () => {
  it('is the peer when that is no proxy, whatever it claims', () => {
    fc.assert(
      fc.property(publicV4, fc.string(), (peer, claim) => {
        expect(clientAddress(peer, claim, proxies)).toBe(peer);
      }),
    );
  });

  it('behind proxies is the one that the outermost proxy saw, whatever the client sent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(publicV4, fc.string())),
        publicV4,
        fc.array(fc.constant('10.1.1.1')),
        (lies, client, hops) => {
          const written = lies.map((lie) => lie.replaceAll(',', ''));
          expect(clientAddress('127.0.0.1', [...written, client, ...hops].join(', '), proxies)).toBe(client);
        },
      ),
    );
  });

  it('without a configured proxy is taken only from the gateway on loopback', () => {
    expect(clientAddress('127.0.0.1', '203.0.113.5', none)).toBe('203.0.113.5');
    expect(clientAddress('::1', '203.0.113.5', none)).toBe('203.0.113.5');
    expect(clientAddress('::ffff:127.0.0.1', '203.0.113.5', none)).toBe('203.0.113.5');
    expect(clientAddress('10.0.0.1', '203.0.113.5', none)).toBe('10.0.0.1');
  });

  it('is taken from a proxy that is configured by its address alone or by an IPv6 range', () => {
    expect(clientAddress('192.0.2.7', '203.0.113.5', proxies)).toBe('203.0.113.5');
    expect(clientAddress('192.0.2.8', '203.0.113.5', proxies)).toBe('192.0.2.8');
    expect(clientAddress('2001:db8::9', '2003:1::5, 2001:DB8::1', proxies)).toBe('2003:1::5');
    expect(clientAddress('10.0.0.1', '::ffff:203.0.113.5', proxies)).toBe('203.0.113.5');
    expect(clientAddress('127.0.0.1', '203.0.113.5', trustedProxies([]))).toBe('127.0.0.1');
  });

  it('is always an address, never other text', () => {
    expect(clientAddress('127.0.0.1', 'unknown', none)).toBe('127.0.0.1');
    expect(clientAddress('127.0.0.1', '203.0.113.5, <x>, 10.0.0.1', proxies)).toBe('10.0.0.1');
    expect(clientAddress('', undefined, none)).toBe('0.0.0.0');
  });
});

describe('the key of an address', () => {
  it('is the address for IPv4 and the /56 for IPv6', () => {
    expect(addressKey('203.0.113.5')).toBe('203.0.113.5');
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:0::/56');
    expect(addressKey('2001:db8::1')).toBe('2001:db8:0:0::/56');
    expect(addressKey('::1')).toBe('0:0:0:0::/56');
  });
});
