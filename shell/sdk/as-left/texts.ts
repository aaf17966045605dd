import { defineTexts } from '../i18n';

/** The texts of a page that is found as it was left. */
export const AS_LEFT_TEXTS = defineTexts('as-left', {
  /** {what} is what was chosen, as the page names it. */
  asLeft: 'As you left it {span} ago: {what}.',
  asLeftNow: 'As you left it: {what}.',
  search: 'search {term}',
  startOver: 'Start over',
});
