import { execFile } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../kit/until.ts';

const run = promisify(execFile);
const MIB = 1024 ** 2;
/** Prevents writes before a sync: no timed journal commit, no early write of renamed or truncated files. */
const MOUNT_OPTIONS = 'loop,noatime,commit=300,noauto_da_alloc';
/** EXT4_IOC_SHUTDOWN with NOLOGFLUSH: the kernel stops all writes to the disk and drops the pending ones. */
const SHUT_DOWN = 'open my $f, "<", $ARGV[0] or die $!; my $flag = pack "L", 2; ioctl $f, 0x8004587d, $flag or die $!';
const UNMOUNT_MS_MAX = 30_000;
const [SYNCED, UNSYNCED] = ['canary.synced', 'canary.unsynced'];

/** An ext4 in an image file, whose power can be cut. Requires root. */
export class Disk {
  /** Mount point. */
  readonly path: string;
  readonly #image: string;

  private constructor(folder: string) {
    this.path = join(folder, 'disk');
    this.#image = join(folder, 'disk.img');
  }

  /** @param folder for the image and the mount point @param bytes size of the disk */
  static async create(folder: string, bytes: number): Promise<Disk> {
    const disk = new Disk(folder);
    await mkdir(disk.path, { recursive: true });
    const file = await open(disk.#image, 'w');
    await file.truncate(Math.ceil(bytes / MIB) * MIB);
    await file.close();
    await run('mke2fs', ['-q', '-t', 'ext4', disk.#image]);
    await disk.#mount();
    return disk;
  }

  /** Cuts the power. Processes with open files then get errors: end them, then call `repair`. */
  async cut(): Promise<void> {
    await writeFile(join(this.path, SYNCED), SYNCED, { flush: true });
    await writeFile(join(this.path, UNSYNCED), UNSYNCED);
    await run('perl', ['-e', SHUT_DOWN, this.path]);
  }

  /** Mounts it again like a machine after a power failure: replays the journal. @throws {Error} when nothing was dropped */
  async repair(): Promise<void> {
    await this.#unmount();
    await this.#mount();
    const read = (name: string) => readFile(join(this.path, name), 'utf8').catch(() => '');
    if ((await read(SYNCED)) !== SYNCED) throw new Error('the disk lost synced data');
    if ((await read(UNSYNCED)) === UNSYNCED) throw new Error('the disk kept unsynced data');
  }

  async remove(): Promise<void> {
    await this.#unmount();
    await rm(this.#image);
    await rm(this.path, { recursive: true });
  }

  #mount() {
    return run('mount', ['-o', MOUNT_OPTIONS, this.#image, this.path]);
  }

  /**
   * Unmounts once no process has a file open.
   * @throws {Error} when a newer mount namespace still has it: a mount would then return the disk without power
   */
  async #unmount() {
    await until('the disk is unmounted', () => run('umount', [this.path]), UNMOUNT_MS_MAX);
    const isFree = async () => (await run('losetup', ['-j', this.#image])).stdout === '';
    await until('no other mount namespace has the disk', isFree, UNMOUNT_MS_MAX);
  }
}
