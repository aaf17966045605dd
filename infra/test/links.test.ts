import { expect, test } from 'vitest';
import { anchorsOf, type Checkout, faultsOf } from './links.ts';

const FILES: Record<string, string> = {
  'README.md': '# The project\n\n## Two commands\n',
  'services/README.md':
    '# Services\n\n## Who owns what\n\n## `/dev/faults` (local mode)\n\n## Who owns what\n\n```\n## no heading\n```\n',
  'services/kit/README.md': '# Kit\n\n## Clocks\n',
  'services/kit/clock.ts': '',
};
/** A missing document; joined, so that this file contains no citation. */
const NONE = ['missing', 'md'].join('.');
const paths = Object.keys(FILES);
const checkout: Checkout = {
  exists: (target) => target === '.' || paths.some((file) => file === target || file.startsWith(`${target}/`)),
  markdown: (target) => FILES[target] ?? null,
  hasFile: (name) => paths.some((file) => file === name || file.endsWith(`/${name}`)),
  hasName: (name) => name === 'LEASE_MS' || name === 'clock',
};
const messages = (file: string, text: string) =>
  faultsOf({ file, text }, checkout).map(({ line, message }) => `${line}: ${message}`);
const outside = (...parts: string[]) => parts.join('');

test.each([
  ['services/kit/clock.ts', '/** Time (services/README.md#who-owns-what). */'],
  ['services/kit/clock.ts', '// As README.md has it for this folder, and ../README.md for all.'],
  ['services/kit/clock.ts', "const file = join(folder, '../kit/README.md');"],
  ['services/kit/README.md', 'See [owners](../README.md#who-owns-what-1), [this](#clocks), [folder](../kit#clocks).'],
  [
    'services/kit/README.md',
    '[elsewhere](https://example.org/x.md#y) and `clock.ts`, `kit/clock.ts`, `../kit/clock.ts`',
  ],
  ['services/kit/README.md', `\`\`\`\n[none](${NONE}) \`missing.ts\`\n\`\`\``],
  ['README.md', '[a path in the address](services/README.md#devfaults-local-mode)'],
  ['services/kit/clock.ts', 'const decisions = specPart(9);'],
])('%s: a reference that resolves is no fault: %s', (file, text) => {
  expect(messages(file, text)).toEqual([]);
});

test.each([
  ['services/kit/clock.ts', `\n/** Time (${NONE}). */`, `2: there is no ${NONE}`],
  ['services/kit/clock.ts', `const hint = 'see docs/${NONE}';`, `1: there is no docs/${NONE}`],
  ['services/kit/clock.ts', '// services/README.md#nowhere', '1: services/README.md has no heading #nowhere'],
  ['services/kit/clock.ts', '// services/README.md#no-heading', '1: services/README.md has no heading #no-heading'],
  ['services/kit/README.md', 'See [owners](../README.md#owner).', '1: services/README.md has no heading #owner'],
  ['services/kit/README.md', 'See [a folder](../gone).', '1: there is no ../gone'],
  ['services/kit/README.md', 'See [out of the project](../../../README.md).', '1: there is no ../../../README.md'],
  ['services/kit/README.md', '`gone.ts` has it.', '1: there is no file gone.ts'],
  ['services/kit/README.md', '`GONE_MS` of `LEASE_MS`', '1: no code has GONE_MS'],
  ['services/kit/README.md', '`kit.goneMs` of `clock`', '1: no code has goneMs'],
  ['services/kit/README.md', 'by `kit.clock()` and `kit.gone()`', '1: no code has gone'],
  ['services/kit/README.md', `As ${NONE} has it.`, `1: there is no ${NONE}`],
])('%s: a reference that leads nowhere is reported with its line: %s', (file, text, fault) => {
  expect(messages(file, text)).toEqual([fault]);
});

test.each([
  outside('// the numbers of sp', 'ec part 9'),
  outside('/** Levels (decis', 'ions, Anti-cheat). */'),
  outside('/** Kept (decis', 'ions: 30 days). */'),
  outside('// see field', '-notes, NATS'),
])('a citation of a document without a path is a fault: %s', (text) => {
  const [fault] = messages('services/kit/clock.ts', text);
  expect(fault).toMatch(/^1: ".*" names a document without a path/);
});

test('anchors are derived from headings as on web pages', () => {
  const text = '# A `b` c\n## [Link](x.md), two words\n## Über–Größe 2\n## Twice\n## Twice\nText\n    # no heading';
  expect([...anchorsOf(text)]).toEqual(['a-b-c', 'link-two-words', 'übergröße-2', 'twice', 'twice-1']);
});
