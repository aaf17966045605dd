import { defineTexts, params } from '@cord/sdk';

/** Texts of a session. */
export const SESSION_TEXTS = defineTexts('session', {
  epoch: params('Epoch {name}'),
});
