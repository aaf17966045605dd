import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** Space reserved in the file for deletes: a full disk must not prevent deletes. */
export const RESERVE_BYTES = 4 * 1024 * 1024;

const STEP = Buffer.alloc(64 * 1024);

/**
 * The free space of the data file. It is allocated in advance by writing zeros behind the file's end, so
 * that a full disk shows here and not during a commit.
 */
export class Room {
  private readonly file: number;
  private readonly reserveBytes: number;

  constructor(path: string, reserveBytes: number) {
    this.file = openSync(path, 'r+');
    this.reserveBytes = reserveBytes;
  }

  /**
   * Call it only between commits, because a commit may extend the file too. Returns false if less than half of the reserve is left
   * and the disk is full.
   */
  keep(usedBytes: number): boolean {
    const { size } = fstatSync(this.file);
    if (size - usedBytes >= this.reserveBytes / 2) return true;
    return this.grow(size, usedBytes + this.reserveBytes) - usedBytes >= this.reserveBytes / 2;
  }

  /** Tries to extend the file by a step. Call it only between commits. */
  canGrow(): boolean {
    const { size } = fstatSync(this.file);
    return this.grow(size, size + STEP.length) === size + STEP.length;
  }

  /** Extends the file until a write fails for any reason. Returns its new size, bytes. */
  private grow(size: number, wanted: number): number {
    let end = size;
    try {
      while (end < wanted) end += writeSync(this.file, STEP, 0, Math.min(STEP.length, wanted - end), end);
    } catch {
      return end;
    }
    return end;
  }

  close(): void {
    closeSync(this.file);
  }
}
