/**
 * Development only, before React: remembers each React renderer on the DevTools hook. Every bundle has its own refresh runtime, and
 * one that comes after React (a module's) finds the renderer here; without it, edits of a module would not show.
 */
globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= {
  renderers: new Map(),
  supportsFiber: true,
  inject: () => globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__.renderers.size + 1,
  onCommitFiberRoot: () => undefined,
  onCommitFiberUnmount: () => undefined,
  onScheduleFiberRoot: () => undefined,
};

const hook = globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__;
const inject = hook.inject;
hook.inject = function remember(renderer) {
  const id = inject.call(this, renderer);
  hook.renderers.set(id, renderer);
  return id;
};
