import { defineTexts } from '@cord/sdk';

/** How the page looks: the themes, each under its id, and live motion. */
export const THEME_TEXTS = defineTexts('theme', {
  system: 'System',
  dark: 'Dark',
  light: 'Light',
  theme: 'Theme',
  liveMotion: 'Live motion',
  on: 'On',
  off: 'Off',
});
