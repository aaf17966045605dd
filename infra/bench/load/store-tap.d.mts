interface Write {
  kind: string;
  bytes: number;
}

export class Written {
  byKind: Map<string, number>;
  commands: number;
  bytes: number;
  add(write: Write): void;
  copy(): { byKind: Map<string, number>; commands: number; bytes: number };
}

export function majorityWriteIn(message: Buffer): Write | null;
export function openTap(uri: string): Promise<{ uri: string; written: Written; close(): void }>;
