import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedMessage, Release } from './release.js';

/** One JSON object a line: a change of a message is a change of its line. */
export function linesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Every recorded release, the oldest first. @param folder `services/contracts/history` */
export function history(folder: string): Release[] {
  const names = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((name) => pastRelease(folder, name));
}

function pastRelease(folder: string, name: string): Release {
  const lines = readFileSync(join(folder, name, 'schemas.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean);
  const messages = lines.map((line) => JSON.parse(line) as RecordedMessage);
  return { name, messages: new Map(messages.map((one) => [one.message, one])) };
}
