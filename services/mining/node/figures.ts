import { fnv1a, mixHash } from '@cord/contracts/rules/hash';

const MINUTE_MS = 60_000;
const BASE_RATE = 100;
const RATE_FOR_YEAR = 15;
/** Maximum relative deviation of the simulated hash rate. */
const WOBBLE = 0.02;

/**
 * Simulated hash rate: 100 + 15 x age, with a small deviation seeded by user and minute, so that all clients show the
 * same number.
 * @param ageTenths account age in tenths of a year
 */
export function hashRate(userId: string, ageTenths: number, atMs: number): number {
  const plain = BASE_RATE + (RATE_FOR_YEAR * ageTenths) / 10;
  const wobble = (2 * unitHash(`${userId}:${Math.floor(atMs / MINUTE_MS)}`) - 1) * WOBBLE;
  return round2(plain * (1 + wobble));
}

/**
 * Efficiency, 0-100: share of the possible time that was credited x anti-cheat factor.
 * @param possibleMs time since the start; 0 gives the anti-cheat factor alone
 */
export function efficiency(creditedMs: number, possibleMs: number, antiCheatHundredths: bigint): number {
  const share = possibleMs <= 0 ? 1 : Math.min(1, Math.max(0, creditedMs / possibleMs));
  return round2(share * Number(antiCheatHundredths));
}

/** Hashes a text to a number from 0 to below 1. */
function unitHash(text: string): number {
  return mixHash(fnv1a(text)) / 4_294_967_296;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
