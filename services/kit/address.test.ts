import { describe, expect, it } from 'vitest';
import { countedAddress, createAddressHash, createLimitHash } from './address.js';

describe('the address that counts for anti-cheat', () => {
  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.168.1.1'],
    ['169.254.3.4'],
    ['100.64.0.1'],
    ['100.127.255.255'],
    ['0.0.0.0'],
    ['224.0.0.1'],
    ['::1'],
    ['::'],
    ['fe80::1%eth0'],
    ['fc00::1'],
    ['fd12:3456::1'],
    ['ff02::1'],
    ['::ffff:10.0.0.1'],
    ['not an address'],
    [''],
  ])('%s never counts', (address) => {
    expect(countedAddress(address)).toBeNull();
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['172.32.0.1', '172.32.0.1'],
    ['100.128.0.1', '100.128.0.1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
    ['2001:db8:1:12ff::', '2001:db8:1:1200::/56'],
    ['2001:db8::1', '2001:db8:0:0::/56'],
  ])('%s counts as %s', (address, counted) => {
    expect(countedAddress(address)).toBe(counted);
  });

  it('an IPv6 /56 network is one address, whichever of its 256 /64 networks a device is in', () => {
    const hash = createAddressHash('a secret of this test');
    expect(hash('2001:db8:1:200::1')).toBe(hash('2001:db8:1:2ff:ffff::9'));
    expect(hash('2001:db8:1:300::1')).not.toBe(hash('2001:db8:1:2ff::1'));
  });

  it('a hash depends on its key, and an address that never counts has none', () => {
    const hash = createAddressHash('one')('203.0.113.7');
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(hash).not.toBe(createAddressHash('two')('203.0.113.7'));
    expect(createAddressHash('one')('192.168.0.1')).toBeNull();
  });

  it('the hash of a rate limit depends on its key, and matches no hash of anti-cheat', () => {
    const limit = createLimitHash('one')('203.0.113.7');
    expect(limit).not.toBe(createLimitHash('two')('203.0.113.7'));
    expect(limit).not.toBe(createAddressHash('one')('203.0.113.7'));
  });
});
