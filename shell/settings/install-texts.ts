import { defineTexts } from '@cord/sdk';

/** Texts of the installed app. */
export const INSTALL_TEXTS = defineTexts('settings.install', {
  title: 'CORD as an app',
  offered: 'On your home screen or desktop, in a window of its own.',
  install: 'Install',
  byHand: 'In Safari, tap Share, then Add to Home Screen.',
  installed: 'It is installed and runs in its own window.',
});
