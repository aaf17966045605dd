import { defineTexts, params } from '@cord/sdk';

/** Texts of the card after an absence of more than an hour; its modules have their own. */
export const AWAY_TEXTS = defineTexts('away', {
  title: 'Since you were away',
  span: params('{span}, since {time}'),
  dismiss: 'Dismiss',
});
