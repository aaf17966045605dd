import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  dateFormat,
  defineTexts,
  formatLocale,
  params,
  plural,
  setLocale,
  textLanguage,
  textsReady,
  translate,
  useTexts,
  withNodes,
} from './i18n';
import { createTestSdk, sampleUser } from './testing';
import { act, renderWithSdk, settled } from './testing/render';

/** Texts of a module, with a second language that only this test has. */
const TEXTS = defineTexts(
  'test-tasks',
  {
    title: 'Task Center',
    earned: params('{amount} CORD earned from "{title}"'),
    friends: plural({ one: '1 friend of {name}', other: '{count} friends of {name}' }),
    days: plural({ one: 'day', other: 'days' }),
    untranslated: 'Only in English',
  },
  async (code) => {
    if (code !== 'de') throw new Error('The file did not come');
    return {
      default: {
        'test-tasks': {
          title: 'Aufgaben',
          earned: 'Für „{title}“ gab es {amount} CORD',
          friends: { one: '{name} hat 1 Freund', other: '{name} hat {count} Freunde' },
          days: 'Tag(e)',
        },
      },
    };
  },
);

/** Languages without the shell's own texts. */
const none = { load: async () => ({ default: {} }) };
beforeEach(() => translate({ de: none, ja: none }));
afterEach(() => {
  setLocale(null);
});

function Card({ count }: { count: number }) {
  const t = useTexts(TEXTS);
  return (
    <main>
      <h1>{t.title}</h1>
      <p>{t.earned({ amount: '50', title: 'Join' })}</p>
      <p>{t.friends({ count, name: 'Ada' })}</p>
      <p>{t.untranslated}</p>
    </main>
  );
}

const shown = (container: HTMLElement) => [...container.querySelectorAll('h1, p')].map((line) => line.textContent);

describe('texts of a module', () => {
  it('are English for a user whose language has no translation', async () => {
    const sdk = createTestSdk({ user: sampleUser({ locale: 'pt-BR' }) });
    const { container } = renderWithSdk(<Card count={1_284} />, sdk);
    await settled(sdk);
    expect(shown(container)).toEqual([
      'Task Center',
      '50 CORD earned from "Join"',
      '1,284 friends of Ada',
      'Only in English',
    ]);
    expect(formatLocale.get()).toBe('en-GB');
  });

  it.each([0, 7, 999, 0.5, 1e9, 1000, 12.25, Number.NaN])('format the number %d as English does', (count) => {
    const spy = vi.spyOn(Number.prototype, 'toLocaleString');
    const written = TEXTS.get().friends({ count, name: 'Ada' });
    // Loading the browser's rules takes a phone 60 ms; small numbers avoid that.
    if (count < 1_000 && Number.isInteger(count)) expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
    expect(written).toBe(`${count.toLocaleString('en-GB')} friends of Ada`);
  });

  it('use the language of the user’s record, with its plurals and number format', async () => {
    const sdk = createTestSdk({ user: sampleUser({ locale: 'de-AT' }) });
    const { container, rerender } = renderWithSdk(<Card count={1} />, sdk);
    await settled(sdk);
    // The texts of all modules on the page change together.
    await waitFor(() => expect(shown(container)[0]).toBe('Aufgaben'));
    expect(shown(container)).toEqual(['Aufgaben', 'Für „Join“ gab es 50 CORD', 'Ada hat 1 Freund', 'Only in English']);
    rerender(<Card count={12_840} />);
    expect(shown(container)[2]).toBe(`Ada hat ${(12_840).toLocaleString('de-AT')} Freunde`);
    expect(textLanguage.get()).toBe('de');
    expect(TEXTS.get().days({ count: 2 })).toBe('Tag(e)');
  });

  it('change when the record changes, stay at the end of the session, and change back when the locale is reset', async () => {
    const sdk = createTestSdk();
    const { container } = renderWithSdk(<Card count={2} />, sdk);
    expect(shown(container)[0]).toBe('Task Center');
    act(() => sdk.session.merge({ id: sampleUser().id, balanceSeq: '101', locale: 'de' }));
    await settled(sdk);
    await waitFor(() => expect(shown(container)[0]).toBe('Aufgaben'));
    expect(TEXTS.get().title).toBe('Aufgaben');
    act(() => sdk.session.signOut());
    expect(shown(container)[0]).toBe('Aufgaben');
    act(() => setLocale(null));
    expect(shown(container)[0]).toBe('Task Center');
  });

  it('stay English, with English plurals, when a translation does not load', async () => {
    const sdk = createTestSdk({ user: sampleUser({ locale: 'ja' }) });
    const { container } = renderWithSdk(<Card count={1} />, sdk);
    await settled(sdk);
    expect(shown(container)).toContain('1 friend of Ada');
  });

  it('follow the browser’s languages without a chosen one, and treat English of any country as ours', async () => {
    const browser = (...languages: string[]) => vi.stubGlobal('navigator', { languages });
    browser('pt-BR', 'de-CH', 'en');
    setLocale(null);
    expect([textLanguage.get(), formatLocale.get()]).toEqual(['de', 'de-CH']);
    setLocale('und');
    expect(textLanguage.get()).toBe('de');
    browser('en-US', 'de');
    setLocale('und');
    expect([textLanguage.get(), formatLocale.get()]).toEqual(['en', 'en-GB']);
    browser();
    setLocale('und');
    expect(textLanguage.get()).toBe('en');
  });

  it('come from the shell’s file unless the module brings its own', async () => {
    const own = defineTexts('test-own', { title: 'Own' }, async () => ({
      default: { 'test-own': { title: 'Eigen' } },
    }));
    const shared = defineTexts('test.shared', { title: 'Shared', left: 'Left' });
    translate({
      de: {
        load: async () => ({ default: { 'test.shared': { title: 'Gemeinsam' }, 'test-own': { title: 'Falsch' } } }),
      },
    });
    setLocale('de');
    await expect.poll(() => shared.get().title).toBe('Gemeinsam');
    expect(shared.get().left).toBe('Left');
    expect(own.get().title).toBe('Eigen');
  });

  it('are waited for until their file is loaded or the limit is over, and not at all in English', async () => {
    let come = () => {};
    const late = defineTexts('test-late', { title: 'Late' }, (code) =>
      code === 'de' ? coming : new Promise(() => {}),
    );
    const coming = new Promise<{ default: { 'test-late': { title: string } } }>((resolve) => {
      come = () => resolve({ default: { 'test-late': { title: 'Spät' } } });
    });
    await textsReady(60_000);
    setLocale('de');
    const ready = textsReady(60_000).then(() => late.get().title);
    come();
    expect(await ready).toBe('Spät');
    setLocale('ja');
    expect(await textsReady(1)).toBeUndefined();
  });

  it('insert a value as it is, never as a pattern or a parameter', () => {
    expect(TEXTS.get().earned({ amount: '{title}', title: "$& $1 $' {amount}" })).toBe(
      `{title} CORD earned from "$& $1 $' {amount}"`,
    );
  });

  it('keep their order around a name that is read from right to left', () => {
    const { joined } = defineTexts('isolated', { joined: params('{name} joined with {count}.') }).get();
    expect(joined({ name: 'نور', count: 3 })).toBe('\u2068نور\u2069 joined with 3.');
    expect(joined({ name: 'mara.okafor', count: 3 })).toBe('mara.okafor joined with 3.');
  });

  it('can hold elements as values, each isolated from the direction of the text around it', () => {
    const { container } = renderWithSdk(
      <p>{withNodes('Your {what} of {amount} is gone.', { what: 'balance', amount: <strong>1 CORD</strong> })}</p>,
      createTestSdk(),
    );
    expect(container.innerHTML).toBe('<p>Your <bdi>balance</bdi> of <bdi><strong>1 CORD</strong></bdi> is gone.</p>');
  });

  it('of two builds of one module are kept apart', () => {
    const older = defineTexts('twice', { title: 'Older', gone: 'Gone' });
    defineTexts('twice', { title: 'Newer' });
    expect(older.get()).toEqual({ title: 'Older', gone: 'Gone' });
  });
});

describe('dates', () => {
  const day = dateFormat({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const NOON = Date.UTC(2026, 10, 21, 12);

  it.each([
    ['en', '21 November 2026'],
    ['en-US', 'November 21, 2026'],
    ['de', '21. November 2026'],
    ['fr', '21 November 2026'],
    ['en-xx-yy', '21 November 2026'],
  ])('of %s are written %s', (locale, written) => {
    setLocale(locale);
    expect(day.format(NOON)).toBe(written);
  });

  it('that are unknown are an en dash', () => {
    expect(day.format(Number.NaN)).toBe('–');
    expect(day.format(Date.parse(''))).toBe('–');
    expect(day.format(undefined as never)).toBe('–');
    expect(day.format(new Date('x'))).toBe('–');
  });
});
