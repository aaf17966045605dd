import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withTables } from './readme.js';

it('README.md matches the capability tables (else: npm run readme -w infra/embedded-mongo)', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toBe(withTables(readme));
});
