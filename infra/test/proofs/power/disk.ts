import { execFile } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../kit/until.ts';

const run = promisify(execFile);
const MIB = 1024 ** 2;
/** Nothing is written before it is synced: no commit of the journal by time, no early write of what is renamed or truncated. */
const MOUNT_OPTIONS = 'loop,noatime,commit=300,noauto_da_alloc';
/** EXT4_IOC_SHUTDOWN with NOLOGFLUSH: from now on the kernel writes nothing more to the disk, and drops what it has not written. */
const SHUT_DOWN = 'open my $f, "<", $ARGV[0] or die $!; my $flag = pack "L", 2; ioctl $f, 0x8004587d, $flag or die $!';
const UNMOUNT_MS_MAX = 30_000;
const [SYNCED, UNSYNCED] = ['canary.synced', 'canary.unsynced'];

/** An ext4 in a file of this machine, whose power can be cut. Root's alone. */
export class Disk {
  /** Where it is mounted. */
  readonly path: string;
  readonly #image: string;

  private constructor(folder: string) {
    this.path = join(folder, 'disk');
    this.#image = join(folder, 'disk.img');
  }

  /** @param folder for the file and the mount point @param bytes of the disk */
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

  /** Cuts the power. Processes that have files open get errors from then on: end them, then `repair`. */
  async cut(): Promise<void> {
    await writeFile(join(this.path, SYNCED), SYNCED, { flush: true });
    await writeFile(join(this.path, UNSYNCED), UNSYNCED);
    await run('perl', ['-e', SHUT_DOWN, this.path]);
  }

  /** Mounts it again, as a machine does that has power again: the journal is replayed. @throws {Error} when nothing was dropped */
  async repair(): Promise<void> {
    await this.#unmount();
    await this.#mount();
    const read = (name: string) => readFile(join(this.path, name), 'utf8').catch(() => '');
    if ((await read(SYNCED)) !== SYNCED) throw new Error('the disk has lost what was synced');
    if ((await read(UNSYNCED)) === UNSYNCED) throw new Error('the disk has kept what was not synced');
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
   * As soon as no process has a file of it open.
   * @throws {Error} when a mount namespace that was made meanwhile still has it: then it would be mounted again as it was, without power
   */
  async #unmount() {
    await until('the disk is unmounted', () => run('umount', [this.path]), UNMOUNT_MS_MAX);
    const isFree = async () => (await run('losetup', ['-j', this.#image])).stdout === '';
    await until('no other mount namespace has the disk', isFree, UNMOUNT_MS_MAX);
  }
}
