import { inCaretRange } from '@cord/build/caret-range.ts';
import * as sdk from '@cord/sdk';
import * as ui from '@cord/ui';
import { ModuleLoadError } from './load-errors';
import { RUNTIME_VERSION } from './sdk-version';

/** Hashes of a module's files by name, as integrity attributes. */
export type Integrity = Readonly<Record<string, string>>;

/** The used part of a module's manifest. */
export interface Manifest {
  /** Name of the entry script beside the manifest. */
  entry: string;
  /** Returns the initial scripts and styles of an exposed entry. */
  filesOf(exposed: string): { scripts: string[]; styles: string[] };
  /** Hashes of the chunks. */
  integrity: Integrity;
}

/** mf-manifest.json as the build writes it. */
interface Written {
  metaData: { remoteEntry: { name: string } };
  exposes?: { path: string; assets: { js: { sync: string[] }; css: { sync: string[] } } }[];
  cord?: { surface?: Surface; integrity?: Integrity };
}

const TIMEOUT_MS = 8_000;

/**
 * Reads a module's manifest.
 * @param integrity hash for the browser's check; empty when unknown
 * @throws ModuleLoadError `manifest` when it does not load or is invalid, `incompatible` when the module needs what this shell lacks
 */
export async function readManifest(module: string, address: string, integrity: string): Promise<Manifest> {
  const { metaData, exposes = [], cord } = await fetchManifest(module, address, integrity);
  const lacking = lackingOf(cord?.surface);
  if (lacking !== null) throw new ModuleLoadError(module, 'incompatible', lacking);
  return {
    entry: metaData.remoteEntry.name,
    filesOf(exposed) {
      const assets = exposes.find(({ path }) => path === `./${exposed}`)?.assets;
      return { scripts: assets?.js.sync ?? [], styles: assets?.css.sync ?? [] };
    },
    integrity: cord?.integrity ?? {},
  };
}

async function fetchManifest(module: string, address: string, integrity: string): Promise<Written> {
  const refusal = (detail: string, cause?: unknown) => new ModuleLoadError(module, 'manifest', detail, cause);
  const written = await fetch(address, { integrity, signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => {
      if (!response.ok) throw refusal(`${address} answered ${response.status}`);
      return response.json() as Promise<Partial<Written> | null>;
    })
    .catch((error: unknown) => {
      throw error instanceof ModuleLoadError ? error : refusal(String(error), error);
    });
  if (typeof written?.metaData?.remoteEntry?.name !== 'string') throw refusal(`${address} is no manifest`);
  return written as Written;
}

/** What a module uses of the shell, from its manifest (infra/build/module-surface.ts); older builds omit it. */
interface Surface {
  /** Imported names. */
  sdk?: string[];
  ui?: string[];
  /** Range of the federation runtime. */
  runtime?: string;
}

/* Names of lazy exports, which are not loaded yet when a module is checked. */
const VIEWS: Record<keyof typeof import('@cord/sdk/views'), true> = { AsLeft: true, SharedCard: true };
const OVERLAYS: Record<keyof ui.Overlays, true> = {
  ConfirmDialog: true,
  Dialog: true,
  MenuContent: true,
  MenuItem: true,
  MenuRule: true,
  QrCode: true,
  Sheet: true,
  SheetItem: true,
  SheetRule: true,
  ToastList: true,
  WhyContent: true,
};
const HERE = { sdk: { ...sdk, ...VIEWS }, ui: { ...ui, ...OVERLAYS } };

/** Describes what this shell lacks for a module, for engineers; null when nothing. */
function lackingOf(surface: Surface | undefined): string | null {
  for (const short of ['sdk', 'ui'] as const) {
    const missing = (surface?.[short] ?? []).filter((name) => !(name in HERE[short]));
    if (missing.length > 0) return `takes ${missing.join(', ')} of @cord/${short}, which this shell does not have`;
  }
  const runtime = surface?.runtime;
  if (runtime === undefined || inCaretRange(RUNTIME_VERSION, runtime)) return null;
  return `wants the federation runtime ${runtime}, here is ${RUNTIME_VERSION}`;
}
