interface Manifest {
  name: string;
  exports: Record<string, string | Record<string, string>>;
  private?: boolean;
  scripts?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export function packPackages(folder: string): Promise<Record<string, string>>;
export function publicManifest(
  manifest: Manifest,
  program: 'node' | 'web' | null,
  ships: string[],
): Manifest & { files: string[] };
