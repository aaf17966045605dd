/** The global shared by React and the DevTools. */
interface DevToolsHook {
  renderers: Map<number, unknown>;
  /** @returns the id of the renderer */
  inject(renderer: unknown): number;
}

declare global {
  var __REACT_DEVTOOLS_GLOBAL_HOOK__: DevToolsHook | undefined;
}

/**
 * Development only, loaded before React: stores each React renderer on the DevTools hook. Every bundle has its own refresh
 * runtime. A module's runtime loads after React and finds the renderer here; without it, edits of a module would not show.
 */
const renderers = new Map<number, unknown>();
const own = {
  renderers,
  supportsFiber: true,
  inject: () => renderers.size + 1,
  onCommitFiberRoot: () => undefined,
  onCommitFiberUnmount: () => undefined,
  onScheduleFiberRoot: () => undefined,
};
globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= own;
const hook = globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__;
const inject = hook.inject;
hook.inject = (renderer) => {
  const id = inject.call(hook, renderer);
  hook.renderers.set(id, renderer);
  return id;
};

export {};
