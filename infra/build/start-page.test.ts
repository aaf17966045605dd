// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BROWSERS, browserRows } from './browsers.ts';
import { languages } from './translations.ts';
import { ROOT } from './workspaces.ts';

interface Watch {
  failed(why?: string): void;
  done(): void;
}

/** The shell's template; its own script runs in this page as in a browser. */
const template = readFileSync(path.join(import.meta.dirname, '../../shell/index.html'), 'utf8');
const [script = '', texts = ''] = [...template.matchAll(/<script nonce="__CSP_NONCE__">([\s\S]*?)<\/script>/g)].map(
  ([, inline]) => inline,
);
const body = /<body>([\s\S]*?)<noscript>/.exec(template)?.[1] ?? '';

/** Runs the inline scripts, as a browser does. */
function run(): void {
  new Function(script.replace('__SHELL_VERSION__', '3fa9c1').replace('__SDK_VERSION__', '1.2.0'))();
}

let reported: string[];
let listeners: [string, EventListener][];
const watch = () => (window as unknown as { cordStart: Watch }).cordStart;
const shown = (id: string) => document.getElementById(id)?.hidden === false;

beforeEach(() => {
  vi.useFakeTimers();
  reported = [];
  listeners = [];
  document.body.innerHTML = body;
  const listen = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation(((
    name: string,
    listener: EventListener,
    options: boolean,
  ) => {
    listeners.push([name, listener]);
    listen(name, listener, options);
  }) as never);
  navigator.sendBeacon = ((_address: string, sent: { text: string }) => reported.push(sent.text)) as never;
  vi.stubGlobal(
    'Blob',
    class {
      text: string;
      constructor([text]: string[]) {
        this.text = text ?? '';
      }
    },
  );
  run();
});
afterEach(() => {
  for (const [name, listener] of listeners) window.removeEventListener(name, listener, true);
  document.documentElement.className = '';
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Simulates a script of the page that fails to load. */
function lose(src: string): void {
  const lost = document.head.appendChild(document.createElement('script'));
  Object.defineProperty(lost, 'src', { value: src });
  lost.dispatchEvent(new Event('error'));
  lost.remove();
}

describe('the start of the page', () => {
  it.each(['before', 'after'])('refetches a failed file past the cache, %s the app has started', (when) => {
    const fetched = vi.fn(() => Promise.reject(new Error('offline')));
    vi.stubGlobal('fetch', fetched);
    if (when === 'after') watch().done();
    lose(`${location.origin}/assets/settings.1a2b3c4d.js`);
    lose('https://wallet.example/inject.js');
    expect(fetched.mock.calls).toEqual([[`${location.origin}/assets/settings.1a2b3c4d.js`, { cache: 'reload' }]]);
  });

  it('shows an error with Reload after 15 s without the app, and hides it when the app starts late', () => {
    expect(shown('root')).toBe(true);
    vi.advanceTimersByTime(14_999);
    expect(shown('start-failed')).toBe(false);
    vi.advanceTimersByTime(1);
    expect(shown('root')).toBe(false);
    expect(document.getElementById('start-failed')?.textContent).toContain('CORD could not be loaded');
    expect(document.querySelector('#start-failed a')?.textContent).toBe('Reload');
    watch().done();
    expect([shown('root'), shown('start-failed')]).toEqual([true, false]);
  });

  it('shows no error when the app starts in time', () => {
    watch().done();
    vi.advanceTimersByTime(60_000);
    lose(`${location.origin}/assets/later.js`);
    expect([shown('root'), shown('start-failed'), reported]).toEqual([true, false, []]);
  });

  it.each([
    [
      'a file that is gone since a release',
      () => lose(`${location.origin}/assets/main.1a2b3c4d.js?x=1`),
      'main.1a2b3c4d.js',
    ],
    ['code that throws', () => watch().failed('TypeError: x is not a function'), 'x is not a function'],
    [
      'code that throws as it is read',
      () => {
        const filename = `${location.origin}/assets/main.js`;
        window.dispatchEvent(new ErrorEvent('error', { message: 'SyntaxError: y', filename }));
      },
      'SyntaxError: y',
    ],
  ])('%s: shows an error at once and sends one report', (_what, happen, text) => {
    happen();
    happen();
    expect(shown('start-failed')).toBe(true);
    expect(reported).toHaveLength(1);
    const message: unknown = JSON.parse(reported[0] ?? '');
    const { errors } = clientErrorEndpoints.report.body.parse(message);
    expect(errors[0]).toMatchObject({ part: 'start', versions: { shell: '3fa9c1', sdk: '1.2.0' } });
    expect(errors[0]?.message).toContain(text);
    expect(errors[0]?.message).not.toMatch(/localhost|\?x=1/);
  });

  it('ignores an error in the script of an extension', () => {
    window.dispatchEvent(new ErrorEvent('error', { message: 'x', filename: 'chrome-extension://abc/x.js' }));
    expect(shown('start-failed')).toBe(false);
  });
});

describe('the first texts', () => {
  it.each([
    ['de-AT', null, ['de-AT', 'en'], 'de', 'CORD wird geladen'],
    ['one that nobody has translated before German', null, ['pt', 'de'], 'de', 'CORD wird geladen'],
    ['English before German', null, ['en-US', 'de'], 'en', 'Loading CORD'],
    ['English, of an account in German', 'de', ['en'], 'de', 'CORD wird geladen'],
    ['German, of an account in English', 'en', ['de'], 'en', 'Loading CORD'],
    ['German, of an account that follows it', 'und', ['de'], 'de', 'CORD wird geladen'],
  ])('follow the language of the account, or else of the browser: %s', (_which, kept, languages, lang, first) => {
    vi.stubGlobal('navigator', { languages });
    vi.stubGlobal('localStorage', { getItem: () => kept });
    document.documentElement.lang = 'en';
    new Function(texts)();
    expect([document.documentElement.lang, document.querySelector('.boot p')?.textContent]).toEqual([lang, first]);
    expect(document.querySelector('#start-failed a')?.textContent).toBe(lang === 'de' ? 'Neu laden' : 'Reload');
    expect(document.querySelector('#too-old h1')?.textContent).toMatch(lang === 'de' ? /^Dieser Browser/ : /^This/);
  });
});

describe('pages without the app', () => {
  const offline = readFileSync(path.join(import.meta.dirname, '../../shell/public/offline.html'), 'utf8');
  const pages = { 'the start page': `${body}<table>${browserRows()}</table>`, 'the offline page': offline };

  it.each(Object.entries(pages))('%s has every text in each language', (_page, html) => {
    const texts = [...new DOMParser().parseFromString(html, 'text/html').body.querySelectorAll('p, h1, a, button, th')];
    const own = (each: Element) =>
      [...each.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue : '')).join('');
    const read = texts.filter((each) => /\p{Ll}/u.test(own(each)) && !NAMES_OF_BROWSERS.test(own(each)));
    expect(read.length).toBeGreaterThan(3);
    for (const code of languages(ROOT)) {
      expect(read.filter((each) => !each.hasAttribute(`data-${code}`)).map(own)).toEqual([]);
    }
  });
});

/** Names that are the same in every language. */
const NAMES_OF_BROWSERS = /^(Chrome, Edge|Firefox)$/;

describe('the page of an older browser', () => {
  it('is in the page without a script, and lists the supported browsers', () => {
    expect(body).toContain('This browser is too old for CORD');
    expect(body).toContain('<table>__BROWSERS__</table>');
    const rows = browserRows();
    for (const browser of BROWSERS) expect(rows).toContain(`<td>${browser.split(' ')[1]}</td>`);
    expect(() => browserRows(['chrome 123', 'edge 124', 'firefox 1', 'safari 1'])).toThrow('Chrome, Edge');
  });

  it('is also shown when the browser lacks AbortSignal.any', () => {
    const known = AbortSignal as { any?: unknown };
    const any = known.any;
    known.any = undefined;
    run();
    known.any = any;
    expect(document.documentElement.className).toBe('too-old');
  });
});
