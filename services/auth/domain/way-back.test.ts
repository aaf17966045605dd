import { expect, it } from 'vitest';
import { backOf } from './way-back.js';

it.each([
  ['?tab=admin&view=users&user=6f1d', 'tab=admin&view=users&user=6f1d'],
  ['tab=admin&welcome=new&auth_error=denied&ref=K7M2QX9D&search=ko b', 'tab=admin&search=ko+b'],
  ['?tab=//evil.example\r\nSet-Cookie: a=b&X=1', 'tab=%2F%2Fevil.example%0D%0ASet-Cookie%3A+a%3Db'],
  ['?view=users', null],
  ['https://evil.example/', null],
  ['', null],
  [`?tab=${'a'.repeat(600)}`, null],
])('a sign-in begun at %j returns to %j', (query, back) => {
  expect(backOf(query)).toBe(back);
});
