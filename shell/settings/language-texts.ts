import { defineTexts, params } from '@cord/sdk';

/** Texts of the language setting; a translation uses its own name for it. */
export const LANGUAGE_TEXTS = defineTexts('settings.language', {
  title: 'Language',
  text: 'Saved with your account, for every device.',
  language: 'Language',
  languageHelp: 'By default, CORD uses the language of your browser.',
  likeBrowser: 'Same as browser',
  isChosen: '(chosen)',
  chosen: params('Language: {language}'),
  formats: 'Numbers and dates',
  formatsHelp: params('Follow the language: {number} and {date}'),
  times: 'Times',
  timesHelp: 'In your own time zone. Days that count (streak, tasks, rankings) are UTC days and are marked as UTC.',
});
