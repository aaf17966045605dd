import { defineTexts } from './i18n';

/** Where no answer came and the call has no text of its own. */
export const NO_ANSWER = defineTexts('no-answer', { network: 'Network error', cancelled: 'Cancelled' });

/** What a service refuses, by the type of the problem, for languages that have it: in English the service's own text is shown. */
export const PROBLEMS = defineTexts<Record<string, string>>('problems', {});
