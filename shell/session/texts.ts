import { defineTexts, params } from '@cord/sdk';

/** The texts about a session. */
export const SESSION_TEXTS = defineTexts('session', {
  epoch: params('Epoch {name}'),
});
