import { defineTexts } from '@cord/sdk';

/** Reasons by source for translations; a stored entry has its reason in English and never changes. */
export const LEDGER_REASONS = defineTexts<Record<string, string>>('ledger-reasons', {});
