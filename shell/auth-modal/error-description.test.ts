import { describe, expect, it } from 'vitest';
import { takeErrorDescription } from './error-description';

const page = (cookie: string, protocol = 'http:') => ({ cookie, location: { protocol } });

describe('Discord’s text for a refused sign-in', () => {
  it('is read without its signature, and the cookie is deleted', () => {
    const document = page('a=1; cord_auth_error=The%20user%20said%20no.%20Really.c2lnbmF0dXJl; b=2');
    expect(takeErrorDescription(document)).toBe('The user said no. Really');
    expect(document.cookie).toBe('cord_auth_error=; Max-Age=0; Path=/; SameSite=Lax');
  });

  it('is accepted on https only from a __Host- cookie', () => {
    const document = page('cord_auth_error=Another.sig; __Host-cord_auth_error=Ours.sig', 'https:');
    expect(takeErrorDescription(document)).toBe('Ours');
    expect(document.cookie).toBe('__Host-cord_auth_error=; Max-Age=0; Path=/; SameSite=Lax; Secure');
    expect(takeErrorDescription(page('cord_auth_error=Another.sig', 'https:'))).toBeNull();
  });

  it('is truncated to 200 characters', () => {
    expect(takeErrorDescription(page(`cord_auth_error=${'x'.repeat(300)}.sig`))).toHaveLength(200);
  });

  it.each(['', 'other=1', 'cord_auth_error=.sig', 'cord_auth_error=%E0%A4%A.sig'])('is null in "%s"', (cookie) => {
    expect(takeErrorDescription(page(cookie))).toBeNull();
  });
});
