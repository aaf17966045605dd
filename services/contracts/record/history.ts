import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedGolden, RecordedMessage, Release } from './release.js';

/** A release of the past, with the messages that it wrote. */
export interface PastRelease extends Release {
  goldens: RecordedGolden[];
}

/** One JSON object a line: a change of a message is a change of its line. */
export function linesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Every recorded release, the oldest first. @param folder `services/contracts/history` */
export function history(folder: string): PastRelease[] {
  const names = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((name) => pastRelease(folder, name));
}

function pastRelease(folder: string, name: string): PastRelease {
  const rows = <T>(file: string): T[] =>
    readFileSync(join(folder, name, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  const messages = rows<RecordedMessage>('schemas.jsonl');
  return {
    name,
    messages: new Map(messages.map((one) => [one.message, one])),
    goldens: rows<RecordedGolden>('goldens.jsonl'),
  };
}
