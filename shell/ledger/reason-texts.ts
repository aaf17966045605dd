import { defineTexts } from '@cord/sdk';

/** Why each source credits, for languages that have it: an entry itself has it in English, and never changes. */
export const LEDGER_REASONS = defineTexts<Record<string, string>>('ledger-reasons', {});
