import { defineTexts } from './languages';

/** Why a code was not taken, by type, for languages that have it: in English the service's own text is shown. */
export const REFUSALS = defineTexts<Record<string, string>>('referral-refusals', {});
