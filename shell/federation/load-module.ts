import { ownTask } from '../app/scheduling';
import { asLoadError, ModuleLoadError } from './load-errors';
import type { Registry } from './registry';
import type { Federation } from './runtime';
import { withTimeout } from './with-timeout';

/** What a module may expose. */
export type Exposed = 'page' | 'parts';

export interface ModuleLoader {
  /**
   * What the module exposes. Asked again it comes from memory; a failure is not kept. `fresh` asks the registry anew and
   * forgets what was cached of the module.
   * @throws ModuleLoadError
   */
  load(module: string, exposed: Exposed, options?: { fresh?: boolean }): Promise<Record<string, unknown>>;
}

/** The longest a user looks at a skeleton before being told, ms. */
export const LOAD_TIMEOUT_MS = 15_000;

/** @param federation the runtime, itself read when the first module is wanted. */
export function createModuleLoader(registry: Registry, federation: () => Promise<Federation>): ModuleLoader {
  const loads = new Map<string, Promise<Record<string, unknown>>>();
  const registered = new Map<string, string>();

  async function loadNow(module: string, exposed: Exposed, fresh: boolean): Promise<Record<string, unknown>> {
    const [{ entry }, runtime] = await Promise.all([registry.find(module, { fresh }), federation()]);
    // All that a page asks for know their places at once; each is begun by itself.
    await ownTask();
    if (fresh || registered.get(module) !== entry) {
      runtime.register(module, entry, { force: fresh || registered.has(module) });
      registered.set(module, entry);
    }
    const found = await runtime.load(module, exposed);
    if (typeof found !== 'object' || found === null) {
      throw new ModuleLoadError(module, 'exports', `./${exposed} exports nothing`);
    }
    return found as Record<string, unknown>;
  }

  function load(module: string, exposed: Exposed, { fresh = false }: { fresh?: boolean } = {}) {
    const key = `${module}/${exposed}`;
    const running = loads.get(key);
    if (running && !fresh) return running;
    const loading = withTimeout(
      loadNow(module, exposed, fresh),
      LOAD_TIMEOUT_MS,
      () => new ModuleLoadError(module, 'timeout', `./${exposed} took more than ${LOAD_TIMEOUT_MS / 1_000} s`),
    ).catch((error: unknown) => {
      throw asLoadError(module, error);
    });
    loads.set(key, loading);
    loading.catch(() => {
      if (loads.get(key) === loading) loads.delete(key);
    });
    return loading;
  }

  return {
    load,
  };
}
