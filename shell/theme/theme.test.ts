// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { createAppearance } from './theme';

const root = document.documentElement;
beforeEach(() => {
  localStorage.clear();
  document.head.innerHTML = '<meta name="theme-color" data-scheme="dark"><meta name="theme-color" data-scheme="light">';
});
const colours = () => [...document.querySelectorAll('meta')].map(({ media }) => media);

describe('appearance', () => {
  it('follows the device until the user chooses', () => {
    createAppearance(document, localStorage);
    expect(root.dataset.theme).toBeUndefined();
    expect(root.dataset.motion).toBe('on');
  });

  it('applies a choice at once, and keeps it over a reload', () => {
    createAppearance(document, localStorage).setTheme('light');
    expect(root.dataset.theme).toBe('light');
    delete root.dataset.theme;
    createAppearance(document, localStorage);
    expect(root.dataset.theme).toBe('light');
  });

  it('follows the device again after the choice of system', () => {
    const appearance = createAppearance(document, localStorage);
    appearance.setTheme('dark');
    appearance.setTheme('system');
    expect(root.dataset.theme).toBeUndefined();
  });

  it('keeps live motion off over a reload', () => {
    createAppearance(document, localStorage).setLiveMotion(false);
    expect(createAppearance(document, localStorage).liveMotion.get()).toBe(false);
    expect(root.dataset.motion).toBe('off');
  });

  it('follows the device if the stored value is invalid', () => {
    localStorage.setItem('cord.theme', 'neon');
    expect(createAppearance(document, localStorage).theme.get()).toBe('system');
  });

  it('applies the account’s theme on a new device, and when another device changes it', () => {
    const appearance = createAppearance(document, localStorage);
    appearance.follow('u', 'light');
    expect(root.dataset.theme).toBe('light');
    appearance.follow('u', 'dark');
    expect(root.dataset.theme).toBe('dark');
  });

  it('keeps a choice that the account has not received, also after a reload', () => {
    createAppearance(document, localStorage).follow('u', 'light');
    createAppearance(document, localStorage).setTheme('dark');
    const appearance = createAppearance(document, localStorage);
    appearance.follow('u', 'light');
    expect(root.dataset.theme).toBe('dark');
    appearance.follow('other', 'light');
    expect(root.dataset.theme).toBe('light');
  });

  it('follows a change in another tab', () => {
    const appearance = createAppearance(document, localStorage);
    window.dispatchEvent(new StorageEvent('storage', { key: 'cord.theme', newValue: 'light' }));
    expect(root.dataset.theme).toBe('light');
    expect(appearance.theme.get()).toBe('light');
    window.dispatchEvent(new StorageEvent('storage', { key: 'cord.live-motion', newValue: 'off' }));
    expect(root.dataset.motion).toBe('off');
  });

  it('sets the browser’s theme colour', () => {
    const appearance = createAppearance(document, localStorage);
    appearance.setTheme('light');
    expect(colours()).toEqual(['(max-width: 0)', '(min-width: 0)']);
    appearance.setTheme('system');
    expect(colours()).toEqual(['(prefers-color-scheme: dark)', '(prefers-color-scheme: light)']);
  });

  it('sets a cookie for the gateway, and deletes it with the choice', () => {
    const appearance = createAppearance(document, localStorage);
    appearance.setTheme('light');
    expect(document.cookie).toContain('cord-theme=light');
    appearance.setTheme('system');
    expect(document.cookie).not.toContain('cord-theme');
  });
});

it.each([
  ['https:', true],
  ['http:', false],
])('the theme cookie on a page of %s is Secure: %s', (protocol, expected) => {
  const written: string[] = [];
  const page = new Proxy(document, {
    get(target, key) {
      const value = key === 'location' ? { protocol } : Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (_target, key, value) => key === 'cookie' && written.push(value) > 0,
  });
  createAppearance(page, localStorage).setTheme('dark');
  expect(written.at(-1)).toMatch(/^cord-theme=dark; Path=\/; SameSite=Lax/);
  expect(written.at(-1)?.endsWith('; Secure')).toBe(expected);
});
