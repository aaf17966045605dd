// @vitest-environment jsdom
import { setLocale } from '@cord/sdk/host';
import { formatCord } from '@cord/ui';
import { afterEach, describe, expect, it } from 'vitest';
import { followLanguage } from './language';

afterEach(() => setLocale(null));

describe('the language of the page', () => {
  it('is English with its numbers, whatever untranslated language a record names', () => {
    followLanguage(document.documentElement);
    setLocale('pt-BR');
    expect(document.documentElement.lang).toBe('en');
    expect(formatCord(1_234.5)).toBe('1,234.50');
  });

  it('takes the numbers of the region a record names', () => {
    followLanguage(document.documentElement);
    setLocale('en-IN');
    expect(formatCord(1_234_567.5)).toBe('12,34,567.50');
    setLocale('en');
    expect(formatCord(1_234_567.5)).toBe('1,234,567.50');
  });
});
