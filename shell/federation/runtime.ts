import { createInstance, type ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import * as runtimeCore from '@module-federation/runtime/core';
import { asLoadError, ModuleLoadError } from './load-errors';
import { SHARED } from './shared';

/** The federation runtime as the shell uses it. */
export interface Federation {
  /** Tells where a module lies; `force` forgets what was loaded or cached of it. */
  register(module: string, entry: string, options: { force: boolean }): void;
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
  const instance = createInstance({
    name: 'cord_shell',
    remotes: [],
    shareStrategy: 'loaded-first',
    shared: Object.fromEntries(
      Object.entries(SHARED).map(([name, { version, lib }]) => [
        name,
        { version, lib: () => lib, shareConfig: { singleton: true, requiredVersion: `^${version}` } },
      ]),
    ),
    plugins: [strictLoading],
  });

  return {
    register: (module, entry, { force }) => instance.registerRemotes([{ name: module, entry }], { force }),
    load: (module, exposed) =>
      instance.loadRemote(`${module}/${exposed}`).catch((error: unknown) => {
        throw asLoadError(module, error);
      }),
  };
}

/** A manifest that is not OK throws instead of being cached as if it were one; scripts have a timeout and a trusted address. */
const strictLoading: ModuleFederationRuntimePlugin = {
  name: 'cord-strict-loading',
  async fetch(url, init, remote) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(MANIFEST_TIMEOUT_MS) });
    if (!response.ok) throw new ModuleLoadError(remote?.name ?? url, 'manifest', `${url} answered ${response.status}`);
    return response;
  },
  createScript({ url }) {
    const script = document.createElement('script');
    script.crossOrigin = 'anonymous';
    script.async = true;
    // React's types know no TrustedScriptURL; the browser takes it where it wants a string.
    script.src = (loaderPolicy?.createScriptURL(url) ?? url) as string;
    return { script, timeout: SCRIPT_TIMEOUT_MS };
  },
};

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
