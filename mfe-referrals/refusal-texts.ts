import { defineTexts } from './languages';

/** Reasons of a refused code by type, for translations; in English the service's own text is shown. */
export const REFUSALS = defineTexts<Record<string, string>>('referral-refusals', {});
