import { defineTexts, params } from '@cord/sdk';

/** The card of somebody who comes back to a page after more than an hour; its modules have their own texts. */
export const AWAY_TEXTS = defineTexts('away', {
  title: 'Since you were away',
  span: params('{span}, since {time}'),
  dismiss: 'Dismiss',
});
