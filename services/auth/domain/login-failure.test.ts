import { describe, expect, it } from 'vitest';
import { failureOfAnswer, failureOfAuthorize, failureOfConnection, plainDescription } from './login-failure.js';

describe('the error key of a failed sign-in', () => {
  it.each([
    [400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' }, 'code_expired'],
    [400, { error: 'invalid_request' }, 'code_expired'],
    [401, { error: 'unauthorized' }, 'unauthorized'],
    [401, { message: '401: Unauthorized', code: 0 }, 'unauthorized'],
    [403, { message: 'Missing Access', code: 50001 }, 'forbidden'],
    [403, 'Forbidden', 'forbidden'],
    [400, { error: 'invalid_grant', error_description: 'Invalid "redirect_uri" in request.' }, 'redirect_mismatch'],
    [400, { error: 'redirect_uri_mismatch' }, 'redirect_mismatch'],
    [401, { error: 'invalid_client' }, 'invalid_client'],
    [400, { error: 'unsupported_grant_type' }, 'grant_type'],
    [500, '<html>oops</html>', 'network'],
    [502, {}, 'network'],
    [429, { message: 'You are being rate limited.' }, 'network'],
    [200, { surprise: true }, 'network'],
  ])('status %s with body %j gives %s', (status, body, key) => {
    expect(failureOfAnswer(status, body).key).toBe(key);
  });

  it.each([
    [{ message: '401: Unauthorized' }, 'unauthorized'],
    ['403 Forbidden', 'forbidden'],
    [{ error: '400 Bad Request' }, 'code_expired'],
    ['503 Service Unavailable', 'network'],
  ])('body %j without a status gives %s', (body, key) => {
    expect(failureOfAnswer(null, body).key).toBe(key);
  });

  it('no response and a response that was cut off give different keys', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(failureOfConnection(new TypeError('fetch failed', { cause: refused })).key).toBe('unreachable');
    expect(failureOfConnection(new AggregateError([refused])).key).toBe('unreachable');
    expect(failureOfConnection(new DOMException('aborted', 'TimeoutError')).key).toBe('unreachable');
    expect(failureOfConnection(new TypeError('terminated')).key).toBe('network');
  });

  it('Discord’s own text is passed on as plain text of at most 200 characters', () => {
    const failure = failureOfAuthorize('access_denied', `No\r\nSet-Cookie: x=1 ${'é'.repeat(300)}`);
    expect(failure.key).toBe('denied');
    expect(failure.description).toMatch(/^No Set-Cookie: x=1 é+$/);
    expect(Array.from(failure.description ?? '')).toHaveLength(200);
    expect(failureOfAuthorize('access_denied', null).description).toBe('access_denied');
    expect(plainDescription('\u0000\n')).toBeNull();
  });
});
