import { defineTexts, params } from '@cord/sdk';

/** Language in Settings; its name in another language is that language's own (look-next.md, 9). */
export const LANGUAGE_TEXTS = defineTexts('settings.language', {
  title: 'Language',
  text: 'Goes with your account, to every device.',
  language: 'Language',
  languageHelp: 'Without a choice CORD follows the browser.',
  likeBrowser: 'Like the browser',
  isChosen: '(chosen)',
  chosen: params('Language: {language}'),
  formats: 'Numbers and dates',
  formatsHelp: params('Follow the language: {number} and {date}'),
  times: 'Times',
  timesHelp: 'Your own time. Where a day counts (streak, tasks, rankings) it is UTC and says so.',
});
