import { listBytes, toBase64 } from '@cord/contracts/proof/bytes';
import * as bonuses from '@cord/contracts/rules/bonuses';
import * as rate from '@cord/contracts/rules/rate';
import { TIERS } from '@cord/contracts/rules/tiers';
import { sha256 } from '../ledger/chain.js';
import type { EpochTable } from '../ledger/epochs.js';

/** Values as JSON: integers of any size as decimal strings, no functions. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)) ?? '';

/** SHA-256 of the published numbers and the epochs in force, base64: a number that was changed afterwards has another one. */
export function rulesHash({ spans }: EpochTable): string {
  const numbers = Object.entries({ ...rate, ...bonuses, TIERS }).filter(([, value]) => typeof value !== 'function');
  const list = numbers.sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, value]) => [name, textOf(value)]);
  return toBase64(sha256(listBytes(['cord/rules/1', ...list, textOf(spans)])));
}
