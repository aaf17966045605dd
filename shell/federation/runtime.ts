import { createInstance, type ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import * as runtimeCore from '@module-federation/runtime/core';
import { type Integrity, type Manifest, readManifest } from './manifest';
import { SHARED } from './shared';

/** The federation runtime as the shell uses it. */
export interface Federation {
  /** Registers the manifest address of a module; `force` clears what was loaded or cached of it. */
  register(module: string, entry: string, options: { force: boolean; integrity?: Integrity | undefined }): void;
  /** Loads an entry of a registered module. @throws ModuleLoadError of its manifest; errors of a script are typed by load-module.ts */
  load(module: string, exposed: string): Promise<unknown>;
}

const SCRIPT_TIMEOUT_MS = 12_000;

/** Allows entry scripts of this origin only. */
const loaderPolicy = trustedTypesFactory()?.createPolicy('cord-loader', {
  createScriptURL: (address) => {
    const { origin, href } = new URL(address, location.href);
    if (origin !== location.origin) throw new TypeError(`no script from ${origin}`);
    return href;
  },
});

/** Created once per page: the runtime keeps its modules in a global. */
export function createFederation(): Federation {
  // Modules are built without the runtime's core and use this one (infra/build, externalRuntime).
  Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });
  /** Hashes of manifests, entry scripts and chunks, by address. */
  const hashes = new Map<string, string>();
  const integrityOf = (address: string) => hashes.get(address) ?? '';
  const preloaded = new Set<string>();
  const modules = new Map<string, Registered>();
  const instance = createInstance({
    name: 'cord_shell',
    remotes: [],
    shareStrategy: 'loaded-first',
    shared: Object.fromEntries(
      Object.entries(SHARED).map(([name, shared]) => [
        name,
        { ...shared, shareConfig: { singleton: true, requiredVersion: `^${shared.version}` } },
      ]),
    ),
    plugins: [strictScripts(integrityOf)],
  });
  for (const versions of Object.values(instance.shareScopeMap.default ?? {}))
    for (const shared of Object.values(versions))
      Object.defineProperties(shared, { from: UNWRITTEN, loading: UNWRITTEN });

  function keepHashes(integrity: Integrity, manifest: string): void {
    for (const [file, hash] of Object.entries(integrity)) hashes.set(new URL(file, manifest).href, hash);
  }

  /** Reads the manifest and registers the entry script, once per module. */
  async function readRegistered(module: string, { manifest: address, force }: Registered): Promise<Manifest> {
    const manifest = await readManifest(module, address, integrityOf(address));
    keepHashes(manifest.integrity, address);
    const entry = new URL(manifest.entry, address).href;
    instance.registerRemotes([{ name: module, entry, type: 'global' }], { force });
    return manifest;
  }

  /** Preloads the files of an exposed entry beside the entry script, which requests them when it runs. */
  function preloadFiles(files: readonly string[], as: 'script' | 'style', manifest: string): void {
    for (const file of files) {
      const { href } = new URL(file, manifest);
      if (preloaded.has(href)) continue;
      preloaded.add(href);
      const link = document.createElement('link');
      Object.assign(link, { rel: 'preload', as, crossOrigin: 'anonymous', integrity: integrityOf(href), href });
      document.head.append(link);
    }
  }

  async function load(module: string, exposed: string): Promise<unknown> {
    const registered = modules.get(module) as Registered;
    registered.reading ??= readRegistered(module, registered);
    const { filesOf } = await registered.reading.catch((error: unknown) => {
      registered.reading = null;
      throw error;
    });
    const { scripts, styles } = filesOf(exposed);
    preloadFiles(styles, 'style', registered.manifest);
    preloadFiles(scripts, 'script', registered.manifest);
    return instance.loadRemote(`${module}/${exposed}`);
  }

  return {
    register(module, entry, { force, integrity = {} }) {
      const manifest = new URL(entry, location.href).href;
      keepHashes(integrity, manifest);
      modules.set(module, { manifest, force, reading: null });
    },
    load,
  };
}

/**
 * Replaces the runtime's bookkeeping of shared packages. Its owner marks would tie a package to the
 * module that used it first, and its loading marks would keep a failed load pending for ever.
 */
const UNWRITTEN = { get() {}, set() {} };

/** The last registration of a module. */
interface Registered {
  /** Address of its manifest. */
  manifest: string;
  force: boolean;
  /** The manifest, loaded or loading; null before the first load and after a failure. */
  reading: Promise<Manifest> | null;
}

/** Gives entry scripts a timeout, a trusted address and the registry's hash, which the browser enforces. */
const strictScripts = (integrityOf: (address: string) => string): ModuleFederationRuntimePlugin => ({
  name: 'cord-strict-scripts',
  createScript({ url }) {
    const script = document.createElement('script');
    script.crossOrigin = 'anonymous';
    script.async = true;
    script.integrity = integrityOf(new URL(url, location.href).href);
    // React's types lack TrustedScriptURL; the browser accepts it in place of a string.
    script.src = (loaderPolicy?.createScriptURL(url) ?? url) as string;
    return { script, timeout: SCRIPT_TIMEOUT_MS };
  },
});

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): unknown;
  };
}

function trustedTypesFactory(): TrustedTypes | undefined {
  return (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
}
