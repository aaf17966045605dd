import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../endpoint.js';
import { numberToMicro } from '../rules/money.js';
import { adminEndpoints } from './admin.js';
import { authEndpoints } from './auth.js';
import { clientErrorEndpoints } from './client-errors.js';
import { decimalsAtMost } from './fields.js';
import { leaderboardEndpoints } from './leaderboard.js';
import { miningEndpoints } from './mining.js';
import { operationEndpoints } from './operations.js';
import { overviewEndpoints } from './overview.js';
import { supportEndpoints } from './support.js';
import { userEndpoints } from './users.js';

test('an amount with at most six decimals converts to micro-CORD, and any other number is rejected', () => {
  const amount = decimalsAtMost(6, z.number().min(0).max(10_000));
  for (const good of [0, 1, 0.000001, 12.345678, 9_999.999999]) {
    expect(amount.safeParse(good).success, String(good)).toBe(true);
    expect(() => numberToMicro(good)).not.toThrow();
  }
  for (const bad of [1e-7, 5e-7, 1.0117048911540975e-136, Number.MIN_VALUE, 0.1 + 0.2, 12.3456789, Number.NaN])
    expect(amount.safeParse(bad).success, String(bad)).toBe(false);
});

const { file, markAddress, changeUser, answer, audit, queue, addresses } = supportEndpoints;
const { endSessions, undo, users } = adminEndpoints;
const REASONS = ['', 'ab', 'x'.repeat(501), undefined];
const CURSORS = ['', 'x', '-', '0'.repeat(32), '1e3-abc', `-1-${'a'.repeat(32)}`, 'NaN-1-a'];
const IDS = ['1', 'x'.repeat(32), `${'a'.repeat(32)}0`, 'A'.repeat(32), '$ne', "' or 1=1"];

/* kit/testing/bad-input-suite.ts proves for every route that a schema's refusal is a 400 that names the field. */
test.each<[Endpoint, 'params' | 'query' | 'body', string, unknown[]]>([
  [file, 'body', 'kind', ['x', undefined]],
  [file, 'body', 'subject', ['', 'ab', 'x'.repeat(121), undefined]],
  [file, 'body', 'text', ['short', 'x'.repeat(4_001), undefined]],
  [answer, 'body', 'answer', ['', 'x'.repeat(4_001), undefined]],
  [markAddress, 'body', 'shared', ['true', undefined]],
  ...[changeUser, markAddress, endSessions, undo].map((endpoint) => [endpoint, 'body', 'reason', REASONS] as never),
  [userEndpoints.update, 'body', 'theme', ['x', null]],
  [userEndpoints.updateProfile, 'body', 'theme', ['pink', null]],
  ...[userEndpoints.update, userEndpoints.updateProfile].map(
    (endpoint) => [endpoint, 'body', 'locale', ['', 'x', 'english', `en-${'a'.repeat(60)}`]] as never,
  ),
  [userEndpoints.remove, 'body', 'confirm', ['', 'x'.repeat(65), undefined]],
  [userEndpoints.remove, 'params', 'id', IDS],
  [authEndpoints.exchange, 'body', 'code', ['', 'x'.repeat(513), undefined]],
  [authEndpoints.exchange, 'body', 'referralCode', ['no code']],
  [authEndpoints.exchange, 'body', 'codeVerifier', ['short']],
  [authEndpoints.exchange, 'body', 'redirectUri', ['x', 'nonsense']],
  [audit, 'query', 'by', ['me']],
  [audit, 'query', 'act', ['a,,b']],
  [audit, 'query', 'on', ['']],
  [audit, 'query', 'from', ['yesterday']],
  [audit, 'query', 'to', ['2026-11-21']],
  [audit, 'query', 'limit', ['0', '101', '-1', '1.5', 'x', '', '1e3']],
  [leaderboardEndpoints.list, 'query', 'limit', ['0', '101', '-1', '1.5']],
  [overviewEndpoints.pausedNodes, 'query', 'limit', ['101']],
  [overviewEndpoints.pausedNodes, 'query', 'cursor', ['x']],
  ...['from', 'to'].map((field) => [overviewEndpoints.pausedNodes, 'query', field, ['yesterday', undefined]] as never),
  [miningEndpoints.earnings, 'query', 'range', ['1y', undefined]],
  [leaderboardEndpoints.list, 'query', 'period', ['yearly']],
  [leaderboardEndpoints.list, 'query', 'search', ['a']],
  ...[queue, audit, addresses, users, operationEndpoints.parkedCredits, clientErrorEndpoints.list].map(
    (endpoint) => [endpoint, 'query', 'cursor', CURSORS] as never,
  ),
])('$0.id: a $1 with $2 out of bounds is rejected with its name', (endpoint, part, field, values) => {
  for (const value of values) {
    const { error } = endpoint[part].safeParse({ [field]: value });
    expect(
      error?.issues.map(({ path }) => path[0]),
      JSON.stringify(value),
    ).toContain(field);
  }
});
