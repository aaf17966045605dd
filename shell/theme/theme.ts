import { createStore, type Store } from '@cord/sdk';

/** What the user chose; `system` follows the device. */
export type Theme = 'system' | 'dark' | 'light';
export const THEMES: readonly Theme[] = ['system', 'dark', 'light'];

const THEME_KEY = 'cord.theme';
const MOTION_KEY = 'cord.live-motion';

export interface Appearance {
  theme: Store<Theme>;
  setTheme(theme: Theme): void;
  /** Live motion of the cord dial; off is also the pause control for moving content (look.md, The cord dial). */
  liveMotion: Store<boolean>;
  setLiveMotion(on: boolean): void;
}

/** Theme and motion as this device keeps them, written to `<html data-theme data-motion>`, where the styles read them. */
export function createAppearance(root: HTMLElement, storage: Pick<Storage, 'getItem' | 'setItem'>): Appearance {
  const theme = createStore<Theme>(themeOf(storage.getItem(THEME_KEY)));
  const liveMotion = createStore(storage.getItem(MOTION_KEY) !== 'off');

  function apply(): void {
    if (theme.get() === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme.get();
    root.dataset.motion = liveMotion.get() ? 'on' : 'off';
  }

  apply();
  return {
    theme,
    setTheme(chosen) {
      storage.setItem(THEME_KEY, chosen);
      theme.set(chosen);
      apply();
    },
    liveMotion,
    setLiveMotion(on) {
      storage.setItem(MOTION_KEY, on ? 'on' : 'off');
      liveMotion.set(on);
      apply();
    },
  };
}

function themeOf(text: string | null): Theme {
  return THEMES.find((theme) => theme === text) ?? 'system';
}
