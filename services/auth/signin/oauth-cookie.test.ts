import type { Context } from 'koa';
import { describe, expect, it } from 'vitest';
import { createSignInCookies } from './oauth-cookie.js';

/** As much of a context as cookies need. */
function contextWith(cookies: Record<string, string> = {}) {
  const lines: string[] = [];
  const ctx = {
    append: (_name: string, line: string) => lines.push(line),
    cookies: { get: (name: string) => cookies[name] },
  };
  return { ctx: ctx as unknown as Context, lines };
}

const secrets = () => ['a secret'];
const secure = createSignInCookies({ publicOrigin: 'https://cord.example', secrets, sessionSeconds: 604_800 });
const plain = createSignInCookies({ publicOrigin: 'http://localhost:8080', secrets, sessionSeconds: 604_800 });

describe('the cookies of a sign-in', () => {
  it('on https, name the session __Host-cord, with Secure, Path=/ and no Domain', () => {
    const { ctx, lines } = contextWith();
    secure.setSession(ctx, 'token');
    expect(lines).toEqual([
      '__Host-cord=token; Path=/; Max-Age=604800; SameSite=Lax; HttpOnly; Secure',
      // Scripts may read that there is a session, and nothing of it.
      'cord-signed-in=1; Path=/; Max-Age=604800; SameSite=Lax; Secure',
    ]);
  });

  it('return the transaction once, and only if its signature is valid', () => {
    const { ctx, lines } = contextWith();
    secure.setTransaction(ctx, 'abc');
    const value = /^__Host-cord-oauth=([^;]+);/.exec(lines[0] ?? '')?.[1] ?? '';
    const back = contextWith({ '__Host-cord-oauth': value });
    expect(secure.takeTransaction(back.ctx)).toBe('abc');
    expect(back.lines).toEqual(['__Host-cord-oauth=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly; Secure']);
    expect(secure.takeTransaction(contextWith({ '__Host-cord-oauth': `x${value}` }).ctx)).toBeNull();
    expect(plain.takeTransaction(contextWith({ '__Host-cord-oauth': value }).ctx)).toBeNull();
  });

  it('on https, use __Host- for Discord’s error text, so that no other host of the domain can set it', () => {
    const { ctx, lines } = contextWith();
    secure.setErrorText(ctx, 'No');
    expect(lines[0]).toMatch(/^__Host-cord_auth_error=No\.[^;]+; Path=\/; Max-Age=120; SameSite=Lax; Secure$/);
  });

  it('do not accept a signature of Discord’s text for a transaction', () => {
    const { ctx, lines } = contextWith();
    plain.setErrorText(ctx, 'abc');
    const value = /^cord_auth_error=([^;]+);/.exec(lines[0] ?? '')?.[1] ?? '';
    expect(plain.takeTransaction(contextWith({ 'cord-oauth': value }).ctx)).toBeNull();
  });

  it('encode Discord’s text so that it cannot break out of its cookie, and the page can read it', () => {
    const { ctx, lines } = contextWith();
    plain.setErrorText(ctx, 'No; Path=/x, thanks. "Really" \u00e9');
    const [pair = '', ...attributes] = (lines[0] ?? '').split('; ');
    expect(attributes).toEqual(['Path=/', 'Max-Age=120', 'SameSite=Lax']);
    const encoded = pair.slice('cord_auth_error='.length, pair.lastIndexOf('.'));
    expect(decodeURIComponent(encoded)).toBe('No; Path=/x, thanks. "Really" \u00e9');
  });
});
