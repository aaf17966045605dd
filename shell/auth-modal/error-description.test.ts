import { describe, expect, it } from 'vitest';
import { takeErrorDescription } from './error-description';

const page = (cookie: string, protocol = 'http:') => ({ cookie, location: { protocol } });

describe('Discord’s text about a refusal', () => {
  it('are read without the signature, and the cookie is removed', () => {
    const document = page('a=1; cord_auth_error=The%20user%20said%20no.%20Really.c2lnbmF0dXJl; b=2');
    expect(takeErrorDescription(document)).toBe('The user said no. Really');
    expect(document.cookie).toBe('cord_auth_error=; Max-Age=0; Path=/; SameSite=Lax');
  });

  it('are believed on https only from a cookie that no other host can set', () => {
    const document = page('cord_auth_error=Another.sig; __Host-cord_auth_error=Ours.sig', 'https:');
    expect(takeErrorDescription(document)).toBe('Ours');
    expect(document.cookie).toBe('__Host-cord_auth_error=; Max-Age=0; Path=/; SameSite=Lax; Secure');
    expect(takeErrorDescription(page('cord_auth_error=Another.sig', 'https:'))).toBeNull();
  });

  it('are cut at 200 characters', () => {
    expect(takeErrorDescription(page(`cord_auth_error=${'x'.repeat(300)}.sig`))).toHaveLength(200);
  });

  it.each(['', 'other=1', 'cord_auth_error=.sig', 'cord_auth_error=%E0%A4%A.sig'])('are nothing in "%s"', (cookie) => {
    expect(takeErrorDescription(page(cookie))).toBeNull();
  });
});
