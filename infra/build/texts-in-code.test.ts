import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { UI_TEXTS } from '../../storybook/ui/ui-texts';
import { webPackages } from './built.ts';
import { definedTexts, literalTexts, literalTextsBelow, screenFiles, textFiles, unusedKeys } from './texts-in-code.ts';
import { ROOT } from './workspaces.ts';

const PACKAGES = webPackages().map(({ dir }) => dir);
/** Notices are texts for users too. */
const FOLDERS = [...PACKAGES, 'storybook/ui', 'services/notices'];

/** Read by a wallet, in debugging, by a shell, or compared with a service's response. */
const NOT_FOR_READERS = [
  'shell/auth-modal/error-description.ts __Host-…',
  'shell/auth-modal/error-description.ts ; Secure',
  'shell/federation/manifest.ts',
  'shell/federation/registry.ts',
  'shell/federation/runtime.ts',
  'shell/ledger-check/check.ts no known key of the log has signed',
  // Lines of the verifier are the same in each language.
  'shell/ledger-check/check.ts the page of rules has others than the record of the day',
  'shell/ledger-check/check.ts the proof is not of the last day in the log',
  'shell/ledger-check/check-view.tsx node verify.mjs',
  'shell/ledger-check/check-view.tsx npx cord verify',
  'shell/ledger-check/result.tsx MISMATCH ',
  'shell/session/startup.ts Invalid user data',
  'shell/settings/push/this-browser.ts',
  'shell/theme/theme.ts ; Secure',
  'mfe-wallet/desk/scan-dialog.tsx CORD Badge of Honor',
  'storybook/ui/format.ts ×…',
];

const source = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const withoutLine = (found: string) => found.replace(/:\d+ /, ' ');

/** Every texts.ts with the surrounding files that may use its texts. */
const TEXTS = PACKAGES.flatMap((dir) =>
  textFiles(ROOT, dir).map((file) => ({
    file,
    users: [...screenFiles(ROOT, dir).filter((other: string) => uses(other, file))],
  })),
);

/** Whether a file imports those texts, defines them, or gets them from such a file. */
function uses(file: string, texts: string): boolean {
  const names = [...definedTexts(texts, source(texts)).keys()];
  const code = source(file);
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(code)) || path.dirname(file) === path.dirname(texts);
}

describe('texts on the screen', () => {
  it.each(FOLDERS)('%s has no literal text outside its text tables', (folder) => {
    const found = literalTextsBelow(ROOT, folder)
      .map(withoutLine)
      .filter((line: string) => !NOT_FOR_READERS.some((known) => line.startsWith(known)));
    expect(found).toEqual([]);
  });

  it('are found in strings, templates, attributes and JSX', () => {
    const found = literalTexts(
      'probe.tsx',
      `import { x } from 'Some thing';
       const title = 'Not saved';
       const line = \`\${rank} of \${miners}\`;
       type Look = 'Full size';
       throw new RangeError('Told to developers');
       export const Page = () => (
         <main className="Some class" aria-label="Live figures">
           {open ? 'Try again' : t.retry} <i>h</i> {'node.paused'} {\`\${styles.a} \${styles.b}\`} CORD
         </main>
       );
       log.warn({ host }, 'a push was not taken');
       const work = { name: 'pauses to warn of', run };
       throw notFound('no-card', 'Card not found');
       const words = { name: 'A friend joined' };
       const share = \`\${part}% \${of}\`;
       const width = \`\${part}%\`;`,
    );
    expect(found.map(({ line, text }) => `${line} ${text}`)).toEqual([
      '2 Not saved',
      '3 … of …',
      '7 Live figures',
      '8 Try again',
      '8 h',
      '14 A friend joined',
      '15 …% …',
    ]);
  });
});

describe('every text is used', () => {
  it.each(TEXTS)('in $file', ({ file, users }) => {
    const sources = new Map([...users, file].map((each) => [each, source(each)]));
    const unused = [...definedTexts(file, source(file))].flatMap(([name, keys]) =>
      // A list that is used as a whole: Object.values(useTexts(LIST)).
      [...sources.values()].some((code) => code.includes('Object.values(') && code.includes(`useTexts(${name})`))
        ? []
        : unusedKeys(keys, sources),
    );
    expect(unused).toEqual([]);
  });

  it('in the design system', () => {
    const keys = new Map(Object.keys(UI_TEXTS).map((key) => [key, []]));
    const files = screenFiles(ROOT, 'storybook/ui').map((file: string) => [file, source(file)] as const);
    expect(unusedKeys(keys, new Map(files))).toEqual([]);
  });

  it('or reported as unused', () => {
    const keys = new Map([
      ['title', ['Title']],
      ['kind.daily', ['Daily']],
      ['gone', ['Gone']],
    ]);
    const code = `const a = t.title; const b = t[\`kind.\${kind}\`];`;
    expect(unusedKeys(keys, new Map([['probe.ts', code]]))).toEqual(['gone']);
  });
});

describe('the text tables under test', () => {
  it('exist, more than ten of them', () => {
    expect(TEXTS.length).toBeGreaterThan(10);
    expect(TEXTS.every(({ file }) => existsSync(path.join(ROOT, file)))).toBe(true);
  });
});
