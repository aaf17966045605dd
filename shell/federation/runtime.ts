import { createInstance, type ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import * as runtimeCore from '@module-federation/runtime/core';
import { asLoadError, type LoadFailure, ModuleLoadError } from './load-errors';
import { SHARED } from './shared';
import { lackingOf, type Surface } from './surface';

/** What a module's manifest and entry script must be, by their names beside each other, as browsers take it. */
export type Integrity = Readonly<Record<string, string>>;

/** The federation runtime as the shell uses it. */
export interface Federation {
  /** Gives where a module lies; `force` forgets what was loaded or cached of it. */
  register(module: string, entry: string, options: { force: boolean; integrity?: Integrity | undefined }): void;
  /** @throws ModuleLoadError */
  load(module: string, exposed: string): Promise<unknown>;
}

const MANIFEST_TIMEOUT_MS = 8_000;
const SCRIPT_TIMEOUT_MS = 12_000;

/** Addresses of entry scripts: of this origin only. */
const loaderPolicy = trustedTypesFactory()?.createPolicy('cord-loader', {
  createScriptURL: (address) => {
    const { origin, href } = new URL(address, location.href);
    if (origin !== location.origin) throw new TypeError(`no script from ${origin}`);
    return href;
  },
});

/** Made once for the page: the runtime keeps its modules in a global. */
export function createFederation(): Federation {
  // Modules are built without the runtime's core and take it from here (infra/build, externalRuntime).
  Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });
  /** Why a manifest was refused, by its module: the runtime passes on the words only. */
  const refused = new Map<string, ModuleLoadError>();
  /** Of manifests, entry scripts and chunks, by their addresses. */
  const hashes = new Map<string, string>();
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
    plugins: [strictLoading(refused, hashes)],
  });

  return {
    register(module, entry, { force, integrity = {} }) {
      const manifest = new URL(entry, location.href);
      for (const [file, hash] of Object.entries(integrity)) hashes.set(new URL(file, manifest).href, hash);
      instance.registerRemotes([{ name: module, entry }], { force });
    },
    load: (module, exposed) =>
      instance.loadRemote(`${module}/${exposed}`).catch((error: unknown) => {
        throw refused.get(module) ?? asLoadError(module, error);
      }),
  };
}

/**
 * A manifest that is not OK, or of a module that takes what this shell has not, throws instead of being cached; scripts have a timeout and a trusted
 * address. The browser takes neither where its hash is not the registry's.
 */
const strictLoading = (
  refused: Map<string, ModuleLoadError>,
  hashes: Map<string, string>,
): ModuleFederationRuntimePlugin => ({
  name: 'cord-strict-loading',
  async fetch(url, init, remote) {
    const module = remote?.name ?? url;
    const refuse = (failure: LoadFailure, detail: string) => {
      const error = new ModuleLoadError(module, failure, detail);
      refused.set(module, error);
      return error;
    };
    refused.delete(module);
    const integrity = hashes.get(new URL(url, location.href).href) ?? '';
    const response = await fetch(url, { ...init, integrity, signal: AbortSignal.timeout(MANIFEST_TIMEOUT_MS) });
    if (!response.ok) throw refuse('manifest', `${url} answered ${response.status}`);
    const manifest = (await response
      .clone()
      .json()
      .catch(() => null)) as { cord?: { surface?: Surface; integrity?: Integrity } } | null;
    const lacking = lackingOf(manifest?.cord?.surface);
    if (lacking !== null) throw refuse('incompatible', lacking);
    const at = new URL(url, location.href);
    for (const [file, hash] of Object.entries(manifest?.cord?.integrity ?? {}))
      hashes.set(new URL(file, at).href, hash);
    return response;
  },
  createLink({ url, attrs = {} }) {
    const link = document.createElement('link');
    for (const [name, value] of Object.entries(attrs)) link.setAttribute(name, value);
    link.href = url;
    link.crossOrigin = 'anonymous';
    link.integrity = hashes.get(new URL(url, location.href).href) ?? '';
    return link;
  },
  createScript({ url }) {
    const script = document.createElement('script');
    script.crossOrigin = 'anonymous';
    script.async = true;
    script.integrity = hashes.get(new URL(url, location.href).href) ?? '';
    // React's types know no TrustedScriptURL; the browser takes it where it wants a string.
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
