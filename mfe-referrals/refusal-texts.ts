import { defineTexts } from '@cord/sdk';
import { LANGUAGES } from './languages';

/** Why a code was not taken, by type, for languages that have it: in English the service's own text is shown. */
export const REFUSALS = defineTexts<Record<string, string>>('referral-refusals', {}, LANGUAGES);
