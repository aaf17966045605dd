import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENGLISH_WORDS } from '../../storybook/ui/words';
import { webPackages } from './built.mjs';
import {
  definedTexts,
  literalTexts,
  literalTextsBelow,
  screenFiles,
  translationFaults,
  unspokenKeys,
} from './texts-in-code.mjs';
import { ROOT } from './workspaces.mjs';

const PACKAGES = webPackages().map(({ dir }) => dir);
const FOLDERS = [...PACKAGES, 'storybook/ui'];

/** Read by a wallet, by who debugs, or compared with what a service says. */
const NOT_FOR_READERS = [
  'shell/federation/registry.ts',
  'shell/federation/runtime.ts',
  'shell/federation/surface.ts',
  'shell/session/startup.ts Invalid user data',
  'mfe-wallet/desk/payment-link.ts CORD Badge of Honor',
];

const source = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const withoutLine = (found: string) => found.replace(/:\d+ /, ' ');

/** Every texts.ts with the files beside and around it that may speak its texts. */
const TEXTS = PACKAGES.flatMap((dir) =>
  textFiles(dir).map((file) => ({
    file,
    speakers: [...screenFiles(ROOT, dir).filter((other) => speaks(other, file))],
  })),
);

function textFiles(dir: string): string[] {
  return readdirSync(path.join(ROOT, dir), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    if (entry.isDirectory()) return textFiles(`${dir}/${entry.name}`);
    return /^([\w-]+-)?texts\.ts$/.test(entry.name) ? [`${dir}/${entry.name}`] : [];
  });
}

/** Whether a file imports those texts, or is that file itself or one it hands its texts to. */
function speaks(file: string, texts: string): boolean {
  const names = [...definedTexts(texts, source(texts)).keys()];
  const code = source(file);
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(code)) || path.dirname(file) === path.dirname(texts);
}

describe('texts on the screen', () => {
  it.each(FOLDERS)('%s says nothing that does not stand in its texts', (folder) => {
    const found = literalTextsBelow(ROOT, folder)
      .map(withoutLine)
      .filter((line) => !NOT_FOR_READERS.some((known) => line.startsWith(known)));
    expect(found).toEqual([]);
  });

  it('are seen wherever they are written', () => {
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
       );`,
    );
    expect(found.map(({ line, text }) => `${line} ${text}`)).toEqual([
      '2 Not saved',
      '3 … of …',
      '7 Live figures',
      '8 Try again',
      '8 h',
    ]);
  });
});

describe('every text is said', () => {
  it.each(TEXTS)('$file', ({ file, speakers }) => {
    const sources = [...speakers, file].map(source);
    const unspoken = [...definedTexts(file, source(file))].flatMap(([name, keys]) =>
      // A list that is read as a whole: Object.values(useTexts(LIST)).
      sources.some((code) => code.includes('Object.values(') && code.includes(`useTexts(${name})`))
        ? []
        : unspokenKeys(keys, sources),
    );
    expect(unspoken).toEqual([]);
  });

  it('by the design system too', () => {
    const keys = new Map(Object.keys(ENGLISH_WORDS).map((key) => [key, []]));
    expect(unspokenKeys(keys, screenFiles(ROOT, 'storybook/ui').map(source))).toEqual([]);
  });

  it('or found out', () => {
    const keys = new Map([
      ['title', ['Title']],
      ['kind.daily', ['Daily']],
      ['gone', ['Gone']],
    ]);
    expect(unspokenKeys(keys, [`const a = t.title; const b = t[\`kind.\${kind}\`];`])).toEqual(['gone']);
  });
});

describe('translations', () => {
  const files = TEXTS.flatMap(({ file }) => {
    const folder = path.dirname(path.join(ROOT, file));
    return readdirSync(folder)
      .filter((name) => /^texts\.[\w-]+\.json$/.test(name))
      .map((name) => ({ file, translation: `${path.dirname(file)}/${name}` }));
  });

  it('have the keys and the values of the English texts', () => {
    const faults = files.flatMap(({ file, translation }) => {
      const [keys] = definedTexts(file, source(file)).values();
      return translationFaults(keys ?? new Map(), JSON.parse(source(translation))).map(
        (fault) => `${translation} ${fault}`,
      );
    });
    expect(faults).toEqual([]);
  });

  it('are known by their faults', () => {
    const keys = definedTexts(
      'texts.ts',
      `export const T = defineTexts('t', {
         title: 'Title',
         earned: params('{amount} CORD'),
         friends: plural({ one: '1 friend of {name}', other: '{count} friends of {name}' }),
       });`,
    ).get('T');
    expect(keys?.get('friends')).toEqual(['1 friend of {name}', '{count} friends of {name}']);
    const good = { earned: '{amount} CORD', friends: { one: '{name}: 1', few: '{count} {name}', other: '{count}' } };
    expect(translationFaults(keys ?? new Map(), good)).toEqual([]);
    expect(translationFaults(keys ?? new Map(), { titel: 'Titel', earned: '{betrag} CORD' })).toEqual([
      'titel: no such text',
      'earned: {betrag} is not given',
    ]);
  });

  it('each texts.ts that this looks at is there', () => {
    expect(TEXTS.length).toBeGreaterThan(10);
    expect(TEXTS.every(({ file }) => existsSync(path.join(ROOT, file)))).toBe(true);
  });
});
