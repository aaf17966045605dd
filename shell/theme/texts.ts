import { defineTexts } from '@cord/sdk';

/** Texts of appearance: the themes by id, and live motion. */
export const THEME_TEXTS = defineTexts('theme', {
  system: 'System',
  dark: 'Dark',
  light: 'Light',
  theme: 'Theme',
  liveMotion: 'Live motion',
  on: 'On',
  off: 'Off',
});
