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

/** What the error of a transaction looks like in JSON-RPC. */
export type TransactionError = string | Record<string, unknown>;

/** A transaction that is on the chain. */
export interface Landed {
  signature: string;
  /** The signed transaction as it came, base64. */
  wire: string;
  slot: number;
  err: TransactionError | null;
  /** Made to fail by a fault: not executed, but its fee is paid. */
  forced: boolean;
  feeLamports: number;
  /** Static keys, then the loaded ones; balances stand in the same order. */
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

/** The chain on disk: a line for each thing that happened, synced before it is answered. What a crash left of a last line is cut off. */
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

  /** @throws Error where the disk takes no line, as a full one: then nothing of it stays, as the next one would not be read behind a part */
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
