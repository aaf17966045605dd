import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CARD_LANGUAGES } from '@cord/contracts/drawing/card';
import { SOURCES } from '@cord/contracts/events/balance';
import { ORDER_REASONS } from '@cord/contracts/http/rewards';
import { describe, expect, it } from 'vitest';
import { FIELD_LANGUAGES } from '../../services/kit/field-messages.ts';
import { NOTICE_LANGUAGES } from '../../services/notices/inbox/texts.ts';
import { TASK_LANGUAGES } from '../../services/tasks/domain/task-texts.ts';
import { UI_TEXTS } from '../../storybook/ui/ui-texts';
import { webPackages } from './built.ts';
import { definedTexts } from './texts-in-code.ts';
import { faultsIn, languages, missingKeys, refusalTypes, translationFaults, translationsIn } from './translations.ts';
import { ROOT } from './workspaces.ts';

const PACKAGES = webPackages().map(({ dir }) => dir);

/** Codes shown as texts, with the tables that contain them; the key types do not require these keys. */
function codesShown() {
  const sources = 'sources of credits';
  return [
    {
      what: sources,
      dir: 'shell',
      name: 'ledger-reasons',
      // A task is shown by its title, a correction by the operator's text.
      keys: SOURCES.filter((source) => source !== 'task' && source !== 'correction'),
    },
    { what: sources, dir: 'shell', name: 'ledger', keys: SOURCES.map((source) => `sources.${source}`) },
    { what: sources, dir: 'infra/admin', name: 'operators-users', keys: SOURCES.map((source) => `source.${source}`) },
    {
      what: 'reasons of orders',
      dir: 'mfe-wallet',
      name: 'wallet-reasons',
      keys: ORDER_REASONS.flatMap((reason) => {
        const [outcome = '', refusal] = reason.split('.');
        return refusal === undefined ? [outcome] : [outcome, `because.${refusal}`];
      }),
    },
  ];
}

const factsOf = (dir: string) => JSON.parse(readFileSync(join(ROOT, dir, 'package.json'), 'utf8')).cord;
const MODULES = PACKAGES.filter((dir) => factsOf(dir) !== undefined);

/** Returns the `words` objects in a module's facts, each with its path. */
function wordsIn(value: unknown, at = ''): { at: string; words: Record<string, string> }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'words' ? [{ at: `${at}words`, words: each }] : wordsIn(each, `${at}${key}.`),
  );
}

it('no German text has the name of a tab or a view as its subject, since some are plural', () => {
  const texts = PACKAGES.map((dir) => join(ROOT, dir, 'languages/de.json')).filter(existsSync);
  const lines = texts.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  expect(lines.length).toBeGreaterThan(1_000);
  expect(lines.filter((line) => /\{(tab|view)\} \p{Ll}/u.test(line))).toEqual([]);
});

describe.each(languages(ROOT))('in %s', (code) => {
  it.each(MODULES)('%s has the names of its tab and its parts', (dir) => {
    const words = wordsIn(factsOf(dir));
    expect(words.length).toBeGreaterThan(0);
    expect(words.filter((each) => !(code in each.words))).toEqual([]);
  });

  it.each([
    ['cards', CARD_LANGUAGES],
    ['messages about fields', FIELD_LANGUAGES],
    ['notices', NOTICE_LANGUAGES],
    ['tasks', TASK_LANGUAGES],
  ])('services have %s', (_, codes) => {
    expect(codes).toContain(code);
  });

  it.each(PACKAGES)('%s translates every text, with the placeholders of the English ones', (dir) => {
    const { texts, faults } = faultsIn(ROOT, dir, code);
    expect(texts).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it('the shell translates every text of the design system', () => {
    const { ui: texts = {} } = translationsIn(ROOT, 'shell', code);
    const keys = new Map(Object.entries(UI_TEXTS).map(([key, text]) => [key, [text]]));
    expect([...missingKeys(keys, texts), ...translationFaults(keys, texts)]).toEqual([]);
  });

  it.each(codesShown())('each of $what has a text in $name', ({ dir, name, keys }) => {
    const texts = translationsIn(ROOT, dir, code)[name] ?? {};
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter((key) => !(key in texts))).toEqual([]);
  });

  it('every problem type of the services has a text', () => {
    const { problems: texts = {} } = translationsIn(ROOT, 'shell', code);
    const types = refusalTypes(ROOT);
    expect(types).toEqual(
      expect.arrayContaining(['no-such-user', 'sign-in-too-old', 'wrong-treasury', 'method-not-allowed']),
    );
    expect(types.filter((type) => !(type in texts))).toEqual([]);
  });
});

describe('translations', () => {
  it('with an unknown key or placeholder are reported', () => {
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
      'titel: unknown text',
      'earned: unknown value {betrag}',
    ]);
  });
});
