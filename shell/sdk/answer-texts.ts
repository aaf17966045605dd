import { defineTexts } from './i18n';

/** Texts for a call without a response that has no text of its own. */
export const NO_ANSWER = defineTexts('no-answer', { network: 'Network error', cancelled: 'Cancelled' });

/** Texts of refusals by problem type, for translations. In English the service's own text is shown. */
export const PROBLEMS = defineTexts<Record<string, string>>('problems', {});
