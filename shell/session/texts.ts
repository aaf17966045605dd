import { defineTexts, params } from '@cord/sdk';

/** What is said of a session wherever it is said. */
export const SESSION_TEXTS = defineTexts('session', {
  epoch: params('Epoch {name}'),
});
