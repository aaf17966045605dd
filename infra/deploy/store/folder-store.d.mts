export interface ModuleStore {
  readonly where: string;
  create(key: string, text: string): Promise<boolean>;
  read(key: string): Promise<string | null>;
  names(prefix: string): Promise<string[]>;
  upload(prefix: string, folder: string): Promise<boolean>;
  describe(prefix: string): Promise<{ path: string; bytes: number; sha256: string }[]>;
  stamp(key: string): Promise<string | null>;
  sha256(key: string): Promise<string>;
  touch(prefix: string): Promise<boolean>;
  removeUntouched(prefix: string, beforeMs: number): Promise<boolean>;
  sweep(): Promise<void>;
}

export function folderStore(folder: string): ModuleStore;
