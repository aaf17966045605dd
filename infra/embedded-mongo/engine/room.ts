import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** Room that is kept in the file for deletes: a disk that is full must not keep the data from being made less. */
export const RESERVE_BYTES = 4 * 1024 * 1024;

const STEP = Buffer.alloc(64 * 1024);

/**
 * The part of the data file that holds nothing. It is made before it is needed, by writing zeros behind the file's end, so
 * that a full disk is met here and not in the midst of a commit.
 */
export class Room {
  private readonly file: number;
  private readonly reserveBytes: number;

  constructor(path: string, reserveBytes: number) {
    this.file = openSync(path, 'r+');
    this.reserveBytes = reserveBytes;
  }

  /**
   * Between commits only, since a commit may make the file longer too. False when less than half of the reserve is left
   * and the disk gives no more.
   */
  keep(usedBytes: number): boolean {
    const { size } = fstatSync(this.file);
    if (size - usedBytes >= this.reserveBytes / 2) return true;
    return this.grow(size, usedBytes + this.reserveBytes) - usedBytes >= this.reserveBytes / 2;
  }

  /** Between commits only: tries to make the file a step longer. */
  canGrow(): boolean {
    const { size } = fstatSync(this.file);
    return this.grow(size, size + STEP.length) === size + STEP.length;
  }

  /** Returns how long the file has become: whatever the reason, a disk that takes no more ends it. */
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
