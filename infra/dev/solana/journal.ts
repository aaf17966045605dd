import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The error of a transaction in the form of JSON-RPC. */
export type TransactionError = string | Record<string, unknown>;

/** A transaction on the chain. */
export interface Landed {
  signature: string;
  /** The signed transaction as received, base64. */
  wire: string;
  slot: number;
  err: TransactionError | null;
  /** Failed by a fault: not executed, but its fee is paid. */
  forced: boolean;
  feeLamports: number;
  /** Static keys, then the loaded ones; balances have the same order. */
  keys: string[];
  loaded: { writable: string[]; readonly: string[] };
  preBalances: number[];
  postBalances: number[];
  logs: string[];
  computeUnits: number;
}

export type Line =
  | { kind: 'genesis'; hash: string; atMs: number }
  | { kind: 'airdrop'; address: string; lamports: number }
  | ({ kind: 'transaction' } & Landed);

/** The chain on disk: one line per event, synced before the response. A partial last line left by a crash is cut off. */
export class Journal {
  readonly #handle: number;

  private constructor(
    file: string,
    readonly lines: Line[],
  ) {
    this.#handle = openSync(file, 'a', 0o600);
  }

  static open(file: string): Journal {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const text = textOf(file);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
    const lines = whole.split('\n').filter((line) => line !== '');
    return new Journal(
      file,
      lines.map((line) => JSON.parse(line) as Line),
    );
  }

  /** @throws Error when the disk takes no line, for example when full; a partial line is removed, since the next would be unreadable */
  append(line: Line): void {
    const { size } = fstatSync(this.#handle);
    try {
      writeFileSync(this.#handle, `${JSON.stringify(line)}\n`);
      fsyncSync(this.#handle);
    } catch (error) {
      ftruncateSync(this.#handle, size);
      throw error;
    }
    this.lines.push(line);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw err;
  }
}
