import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { isProperty, parsed, textOf, walk } from './syntax.ts';
import { ROOT } from './workspaces.ts';

/** A forbidden phrase in texts for users, with an example. */
type Banned = readonly [turn: RegExp, example: string];

const ENGLISH: readonly Banned[] = [
  [/\bstands?\b(?! for\b)/i, 'Each credit stands here with its reason.'],
  [/\bby (itself|themselves)\b/i, 'It comes back here by itself.'],
  [/(^|[.:;,] )whoever\b/i, 'Whoever has earned nothing yet is not ranked.'],
  [/\bof equals\b/i, 'Of equals, the first is ahead.'],
  [/\b(is|are|was|were|been) (told|asked)\b|\btold (of|whole)\b|\basked for\b/i, 'Mining is told of the change.'],
  [/\b(hears?|heard|says? so)\b/i, 'Days that count are UTC days and say so.'],
  [/\breckon/i, 'It could not be reckoned.'],
  [/\banew\b/i, 'The page is loaded anew.'],
  [/\bmend(s|ed|ing)?\b/i, 'We are mending something.'],
  [/\b(proven|whole again)\b/i, 'Payment proven'],
  [/\b(has|have) begun\b/i, 'The epoch has begun.'],
  [/\b(appeal|request) is answered\b|\bthere already\b/i, 'Your appeal is answered'],
  [/\btak(e|es|en) out\b/i, 'An epoch that was taken out'],
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b)/i, 'This is no card.'],
  [/\bno [a-z]+[’']s([.,]|$)/i, 'It is kept by no operator’s.'],
];

const GERMAN: readonly Banned[] = [
  [/\bsteht (hier|unten)\b|\bhier stehen\b/i, 'Die Antwort steht hier.'],
  [/\b(unter|von) Gleichen\b/i, 'Von Gleichen ist der Erste vorn.'],
  [/\b(wird|werden|bekommst|bekommt) .*\bgesagt\b/i, 'Das wird dem Mining gesagt.'],
  [/\bbewiesen\b/i, 'Zahlung bewiesen'],
  [/\bwieder ganz\b/i, 'Deine Rate ist wieder ganz.'],
  [/\bheraus(genommen|nehmen)\b/i, 'Sie lässt sich nicht herausnehmen.'],
];

/** A number and its sign need a no-break space (DIN 5008). Not in the card, whose texts have a line each. */
const GERMAN_LINES: readonly Banned[] = [[/[\d}…] %/, 'Du bekommst 10 % davon.']];

/** Folders with texts for users: shell, modules, operators' room, design system, notices, cards and tasks. */
const FOLDERS = /^(shell|mfe-[\w-]+|infra\/admin|storybook\/ui|services\/(notices|contracts|tasks))\//;

/** A table of texts, with its language unless that is English. */
const TABLE = /(^|[/-])texts(\.(?<language>[a-z]{2}))?\.(ts|json)$|\/languages\/(?<translated>[a-z]{2})\.json$/;

const TABLES = sourceFiles(['**/*.{ts,json}', '!**/history/**']).flatMap((file) => {
  const found = FOLDERS.test(file) ? TABLE.exec(file) : null;
  return found === null ? [] : [{ file, language: found.groups?.language ?? found.groups?.translated ?? 'en' }];
});

/** Returns every text of a table; a template's text has … for each value. */
function textsIn(file: string): string[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  return file.endsWith('.json') ? stringsOf(JSON.parse(source)) : literalsOf(file, source);
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Returns the strings of code, without names of properties and modules. */
function literalsOf(file: string, source: string): string[] {
  const found: string[] = [];
  walk(parsed(file, source).program, (node, [parent, grandparent]) => {
    if (node.type === 'ImportDeclaration') return false;
    const text = textOf(node);
    const isName = parent !== undefined && isProperty(parent, grandparent) && parent.key === node;
    if (text !== null && !isName) found.push(text);
    return true;
  });
  return found;
}

describe('the ban of stilted phrases', () => {
  it.each(TABLES)('holds in $file', ({ file, language }) => {
    // A file without a language contains both.
    const banned = language === 'de' ? [...GERMAN, ...GERMAN_LINES] : [...ENGLISH, ...GERMAN];
    const found = textsIn(file).flatMap((text) =>
      banned.filter(([turn]) => turn.test(text)).map(([turn]) => `${file}: "${text}" has ${turn}`),
    );
    expect(found).toEqual([]);
  });

  it('covers texts of every kind', () => {
    const files = TABLES.map(({ file }) => file);
    expect(files).toEqual(
      expect.arrayContaining([
        'shell/app/texts.ts',
        'shell/languages/de.json',
        'mfe-tasks/texts.ts',
        'mfe-tasks/languages/de.json',
        'infra/admin/languages/de.json',
        'services/notices/inbox/texts.en.ts',
        'services/notices/inbox/texts.de.ts',
        'services/contracts/drawing/card-texts.ts',
        'storybook/ui/ui-texts.ts',
      ]),
    );
  });

  it.each([...ENGLISH, ...GERMAN, ...GERMAN_LINES])('finds an example of %s', (turn, example) => {
    expect(example).toMatch(turn);
  });

  it('covers texts and templates, but not property names', () => {
    const source = `const t = { 'stand.open': 'Open', a: \`It stands at \${x}\`, b: params('{n} stand here') };`;
    expect(literalsOf('probe.ts', source)).toEqual(['Open', 'It stands at …', '{n} stand here']);
  });
});
