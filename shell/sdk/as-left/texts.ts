import { defineTexts } from '../i18n';

/** What is said to whoever finds a page as they left it. */
export const AS_LEFT_TEXTS = defineTexts('as-left', {
  /** {what} is what was chosen, in the words of the page. */
  asLeft: 'As you left it {span} ago: {what}.',
  asLeftNow: 'As you left it: {what}.',
  search: 'search {term}',
  startOver: 'Start over',
});
