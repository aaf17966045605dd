// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

const page = readFileSync(path.join(import.meta.dirname, '../public/offline.html'), 'utf8');
const [, main = ''] = /<main>(.*?)<\/main>/s.exec(page) ?? [];
const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? [];
const AT_MS = Date.UTC(2026, 10, 27, 12);
const BALANCE = `{"userId":"u1","micro":"48213570000","atMs":${AT_MS}}`;
const SIGNED_OUT = 'cord-signed-in=; Max-Age=0';
const HERE = { 'cord.last-seen': BALANCE };

/** Opens the page in a browser, with the app's data on this device. */
function open(
  kept: Record<string, string> | Error,
  languages: readonly string[] = ['en-US'],
  cookie = 'cord-signed-in=1',
  body = main,
) {
  document.documentElement.lang = 'en';
  document.body.innerHTML = body;
  // biome-ignore lint/suspicious/noDocumentCookie: the page reads it there
  document.cookie = cookie;
  vi.stubGlobal('navigator', { languages });
  vi.stubGlobal('localStorage', {
    getItem(key: string) {
      if (kept instanceof Error) throw kept;
      return kept[key] ?? null;
    },
  });
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('setInterval', vi.fn());
  const clicks = vi.spyOn(document.querySelector('button') as HTMLButtonElement, 'addEventListener');
  new Function(script)();
  expect(clicks).toHaveBeenCalledExactlyOnceWith('click', expect.any(Function));
  const last = document.querySelector<HTMLElement>('.last');
  return last?.hidden ? null : last?.textContent;
}

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = SIGNED_OUT;
  document.body.innerHTML = '';
});

test.each([
  ['English', ['en-US', 'de'], {}, 'en', /^Last known, 27 Nov 2026, \d\d:\d\d: 48,213\.57\u00a0CORD$/],
  ['German', ['pt', 'de-AT'], {}, 'de', /^Zuletzt bekannt, 27\.11\.2026, \d\d:\d\d: 48[.\s]213,57\u00a0CORD$/],
  ['English, of an account in German', ['en'], { 'cord.language': 'de' }, 'de', /^Zuletzt .* 48\.213,57\u00a0CORD$/],
  ['German, of an account in English', ['de'], { 'cord.language': 'en-US' }, 'en', /^Last known, Nov 27, 2026/],
  ['German, of an account that follows it', ['de'], { 'cord.language': 'und' }, 'de', /^Zuletzt bekannt/],
])('shows the last known balance, in a browser of %s', (_which, languages, kept, lang, text) => {
  expect(open({ ...HERE, ...kept }, languages)).toMatch(text);
  expect(document.documentElement.lang).toBe(lang);
  expect(document.querySelector('button')?.textContent).toBe(lang === 'de' ? 'Noch einmal' : 'Try again');
});

test('supports each language of its texts, without naming it in the script', () => {
  expect(open(HERE, ['pt', 'fr-CH', 'de'], undefined, main.replaceAll('data-de=', 'data-fr='))).toMatch(
    /^Zuletzt .* 48.213,57/,
  );
  expect(document.documentElement.lang).toBe('fr');
  expect(document.querySelector('button')?.textContent).toBe('Noch einmal');
});

test.each([
  ['after a sign-out', HERE, SIGNED_OUT],
  ['where nothing is known', {}, undefined],
  ['that cannot be read', { 'cord.last-seen': '{"micro":"many","atMs":1' }, undefined],
  ['where nothing can be kept', new Error('denied'), undefined],
])('shows no number %s', (_when, kept, cookie) => {
  expect(open(kept, ['en-US'], cookie)).toBeNull();
  expect(document.querySelector('h1')?.textContent).toBe('CORD cannot be reached');
});
