import { defineTexts } from '../i18n';

/** Texts of the notice about restored choices. */
export const AS_LEFT_TEXTS = defineTexts('as-left', {
  /** {what} lists the choices as the page names them. */
  asLeft: 'As you left it {span} ago: {what}.',
  asLeftNow: 'As you left it: {what}.',
  search: 'search {term}',
  startOver: 'Start over',
});
