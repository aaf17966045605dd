// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { createAppearance } from './theme';

const root = document.documentElement;
beforeEach(() => localStorage.clear());

describe('appearance', () => {
  it('follows the device until the user chooses', () => {
    createAppearance(root, localStorage);
    expect(root.dataset.theme).toBeUndefined();
    expect(root.dataset.motion).toBe('on');
  });

  it('a choice shows at once and outlives a reload', () => {
    createAppearance(root, localStorage).setTheme('light');
    expect(root.dataset.theme).toBe('light');
    delete root.dataset.theme;
    createAppearance(root, localStorage);
    expect(root.dataset.theme).toBe('light');
  });

  it('system takes the choice back', () => {
    const appearance = createAppearance(root, localStorage);
    appearance.setTheme('dark');
    appearance.setTheme('system');
    expect(root.dataset.theme).toBeUndefined();
  });

  it('live motion off is kept too', () => {
    createAppearance(root, localStorage).setLiveMotion(false);
    expect(createAppearance(root, localStorage).liveMotion.get()).toBe(false);
    expect(root.dataset.motion).toBe('off');
  });

  it('nonsense in the storage is the device’s theme', () => {
    localStorage.setItem('cord.theme', 'neon');
    expect(createAppearance(root, localStorage).theme.get()).toBe('system');
  });
});
