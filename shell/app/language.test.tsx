import { setLocale } from '@cord/sdk/host';
import { at, createTestSdk, SAMPLE_NOW_MS, sampleUser } from '@cord/sdk/testing';
import { formatCord } from '@cord/ui';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { app as german } from '../languages/de.json';
import { signOut } from '../session/sign-out';
import { followLanguage, textsLoaded } from './language';
import { APP_TEXTS } from './texts';

const { id } = sampleUser();

afterEach(() => {
  setLocale(null);
});

/** Starts the page, before or after the session is known. */
function start() {
  const sdk = createTestSdk();
  onTestFinished(followLanguage(document.documentElement, localStorage, sdk));
  return sdk;
}

describe('the language of the page', () => {
  it('is English with English numbers for an untranslated language', () => {
    start();
    setLocale('pt-BR');
    expect(document.documentElement.lang).toBe('en');
    expect(formatCord(1_234.5)).toBe('1,234.50');
  });

  it('uses the number format of the record’s region', () => {
    start();
    setLocale('en-IN');
    expect(formatCord(1_234_567.5)).toBe('12,34,567.50');
    setLocale('en');
    expect(formatCord(1_234_567.5)).toBe('1,234,567.50');
  });

  it('is the browser’s before the first text is shown, once its file is loaded', async () => {
    vi.stubGlobal('navigator', { languages: ['de-CH', 'en'] });
    start();
    expect(document.documentElement.lang).toBe('de');
    // On a slow machine the texts may arrive after the maximum wait.
    await textsLoaded();
    await expect.poll(() => APP_TEXTS.get().skip).toBe(german.skip);
  });

  it('invalidates texts of the server in each tab when it changes, on whichever device', async () => {
    const { queries, receive } = start();
    const reads = vi.fn(async () => document.documentElement.lang);
    onTestFinished(new QueryObserver(queries, { queryKey: ['tasks'], queryFn: reads }).subscribe(() => undefined));
    await expect.poll(() => queries.getQueryData(['tasks'])).toBe('en');
    const change = (locale: string) =>
      receive({ kind: 'user', userId: id, update: { id, locale }, asOfMs: SAMPLE_NOW_MS });
    change('de');
    await expect.poll(() => queries.getQueryData(['tasks'])).toBe('de');
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    change('en');
    expect(queries.isFetching()).toBe(0);
    expect(queries.getQueryState(['tasks'])?.isInvalidated).toBe(true);
    expect(queries.getQueryData(['tasks'])).toBe('de');
    visibility.mockRestore();
  });

  it('stays the account’s when a session expires, also at the next start, until the user signs out', async () => {
    const lost = start();
    lost.session.merge({ id, locale: 'de' });
    lost.session.signOut();
    expect(document.documentElement.lang).toBe('de');
    setLocale(null);
    const { session, api, broadcast } = start();
    expect(document.documentElement.lang).toBe('de');
    session.merge({ id, locale: 'de' });
    api.on(at.auth.logout, undefined);
    await signOut({ session, api, broadcast });
    expect(document.documentElement.lang).toBe('en');
    start();
    expect(document.documentElement.lang).toBe('en');
  });
});
