import { toBase64, utf8 } from '@cord/contracts/proof/bytes';
import { rulesText } from '@cord/contracts/proof/rules';
import { sha256 } from '../ledger/chain.js';
import type { EpochTable } from '../ledger/epochs.js';

/** Returns the text of a day's rules from the table in use (`rulesText`). */
export function rulesOfDay({ books, spans }: EpochTable, day: string): string {
  const epochs = spans.map(({ id, hundredths, startMs, endMs }) => ({
    id,
    multiplierHundredths: Number(hundredths),
    startAt: startMs,
    endAt: endMs,
  }));
  return rulesText({ books, epochs }, day);
}

/** Returns the hash of the rules that the record of a day pins: SHA-256 of their text, base64. */
export const rulesHash = (text: string): string => toBase64(sha256(utf8(text)));
