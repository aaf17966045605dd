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

  it('a choice shows at once and outlives a reload', () => {
    createAppearance(document, localStorage).setTheme('light');
    expect(root.dataset.theme).toBe('light');
    delete root.dataset.theme;
    createAppearance(document, localStorage);
    expect(root.dataset.theme).toBe('light');
  });

  it('system takes the choice back', () => {
    const appearance = createAppearance(document, localStorage);
    appearance.setTheme('dark');
    appearance.setTheme('system');
    expect(root.dataset.theme).toBeUndefined();
  });

  it('live motion off is kept too', () => {
    createAppearance(document, localStorage).setLiveMotion(false);
    expect(createAppearance(document, localStorage).liveMotion.get()).toBe(false);
    expect(root.dataset.motion).toBe('off');
  });

  it('nonsense in the storage is the device’s theme', () => {
    localStorage.setItem('cord.theme', 'neon');
    expect(createAppearance(document, localStorage).theme.get()).toBe('system');
  });

  it('the account’s theme is taken on a new device, and when another device has changed it', () => {
    const appearance = createAppearance(document, localStorage);
    appearance.follow('u', 'light');
    expect(root.dataset.theme).toBe('light');
    appearance.follow('u', 'dark');
    expect(root.dataset.theme).toBe('dark');
  });

  it('a choice that the account has not received stands, also after a reload', () => {
    createAppearance(document, localStorage).follow('u', 'light');
    createAppearance(document, localStorage).setTheme('dark');
    const appearance = createAppearance(document, localStorage);
    appearance.follow('u', 'light');
    expect(root.dataset.theme).toBe('dark');
    appearance.follow('other', 'light');
    expect(root.dataset.theme).toBe('light');
  });

  it('the other tabs follow', () => {
    const appearance = createAppearance(document, localStorage);
    window.dispatchEvent(new StorageEvent('storage', { key: 'cord.theme', newValue: 'light' }));
    expect(root.dataset.theme).toBe('light');
    expect(appearance.theme.get()).toBe('light');
    window.dispatchEvent(new StorageEvent('storage', { key: 'cord.live-motion', newValue: 'off' }));
    expect(root.dataset.motion).toBe('off');
  });

  it('the browser’s own colour goes with it', () => {
    const appearance = createAppearance(document, localStorage);
    appearance.setTheme('light');
    expect(colours()).toEqual(['(max-width: 0)', '(min-width: 0)']);
    appearance.setTheme('system');
    expect(colours()).toEqual(['(prefers-color-scheme: dark)', '(prefers-color-scheme: light)']);
  });

  it('the gateway learns of a choice, and of its end', () => {
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
])('on a page of %s the cookie of the theme is for https alone: %s', (protocol, expected) => {
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
