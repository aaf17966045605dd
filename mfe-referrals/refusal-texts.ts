import { defineTexts } from '@cord/sdk';

/** Why a code was not taken, by type, for languages that have it: in English the service says it by itself. */
export const REFUSALS = defineTexts<Record<string, string>>(
  'referral-refusals',
  {},
  { de: () => import('./refusal-texts.de.json') },
);
