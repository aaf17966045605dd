import { createStore, type SafeStorage, type Store } from '@cord/sdk';

/** The user's choice; `system` follows the device. */
export type Theme = 'system' | 'dark' | 'light';
export const THEMES: readonly Theme[] = ['system', 'dark', 'light'];

const THEME_KEY = 'cord.theme';
/** Storage key of the account's theme last applied here, `<user id> <theme>`, followed by the choices being sent to the account. */
export const TAKEN_THEME_KEY = 'cord.theme-of-account';
const MOTION_KEY = 'cord.live-motion';

/** Cookie for the gateway, which renders the first frame with it (infra/gateway/static/page.ts). */
const COOKIE = 'cord-theme';
const COOKIE_SECONDS = 365 * 86_400;

/** Media queries that always and never match. */
const ALWAYS = '(min-width: 0)';
const NEVER = '(max-width: 0)';

export interface Appearance {
  theme: Store<Theme>;
  setTheme(theme: Theme): void;
  /**
   * Follows the theme of the account's record. It is applied on a device that has not seen it, and after a change on
   * another device; else this device's choice stays, which may not have reached the account.
   */
  follow(userId: string, theme: Theme): void;
  /** Notes that a choice is being sent, so that its return in the record is not taken for a change on another device. */
  send(userId: string, theme: Theme): void;
  /** Notes that all sent choices have a response, and the account's resulting theme. */
  answered(userId: string, theme: Theme): void;
  /** Live motion of the cord dial; off is also the pause control for moving content (storybook/ui/README.md#cord-dial). */
  liveMotion: Store<boolean>;
  setLiveMotion(on: boolean): void;
}

/**
 * Stores theme and motion on this device, and applies them to `<html data-theme data-motion>` for the styles and to
 * the browser's own colour. The other tabs follow.
 */
export function createAppearance(document: Document, storage: Pick<SafeStorage, 'getItem' | 'setItem'>): Appearance {
  const root = document.documentElement;
  const theme = createStore<Theme>(themeOf(storage.getItem(THEME_KEY)));
  const liveMotion = createStore(motionOf(storage.getItem(MOTION_KEY)));

  function apply(): void {
    const chosen = theme.get();
    if (chosen === 'system') delete root.dataset.theme;
    else root.dataset.theme = chosen;
    root.dataset.motion = liveMotion.get() ? 'on' : 'off';
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"][data-scheme]')) {
      const { scheme } = meta.dataset;
      meta.media = chosen === 'system' ? `(prefers-color-scheme: ${scheme})` : chosen === scheme ? ALWAYS : NEVER;
    }
    const seconds = chosen === 'system' ? 0 : COOKIE_SECONDS;
    const secure = document.location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${COOKIE}=${chosen}; Path=/; SameSite=Lax; Max-Age=${seconds}${secure}`;
  }

  function setTheme(chosen: Theme): void {
    storage.setItem(THEME_KEY, chosen);
    theme.set(chosen);
    apply();
  }

  function takenOf(userId: string): string[] {
    const [owner, ...taken] = storage.getItem(TAKEN_THEME_KEY)?.split(' ') ?? [];
    return owner === userId ? taken : [];
  }

  function take(userId: string, themes: readonly string[]): void {
    storage.setItem(TAKEN_THEME_KEY, [userId, ...new Set(themes)].join(' '));
  }

  // Changed or cleared in another tab.
  document.defaultView?.addEventListener('storage', ({ key, newValue }) => {
    if (key === THEME_KEY || key === null) theme.set(themeOf(newValue));
    if (key === MOTION_KEY || key === null) liveMotion.set(motionOf(newValue));
    apply();
  });

  apply();
  return {
    theme,
    setTheme,
    follow(userId, ofAccount) {
      if (takenOf(userId).includes(ofAccount)) return;
      take(userId, [ofAccount]);
      if (theme.get() !== ofAccount) setTheme(ofAccount);
    },
    send: (userId, chosen) => take(userId, [...takenOf(userId), chosen]),
    answered: (userId, ofAccount) => take(userId, [ofAccount]),
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

function motionOf(text: string | null): boolean {
  return text !== 'off';
}
