/**
 * Fast Refresh for a module in a shell that is built. React's own asks React itself to put new code into what is on screen,
 * which a React for production cannot do. Here each component of the module is shown by a stand-in that stays and calls the
 * newest code: its hooks are the stand-in's, so that state is kept as long as the hooks are the same. Development only;
 * rspack.preset.mjs puts this file in the place of `react-refresh`, whose exports it has.
 */
import { createElement, useSyncExternalStore } from 'react';
import { jsx } from 'react/jsx-runtime';

/** What one place in the code makes, newer and newer. @typedef {{current: Function | object, Shown: Function | null}} Family */

/** By the place in the code. @type {Map<string, Family>} */
const families = new Map();
/** By each component that they have had. @type {WeakMap<object, Family>} */
const familyOf = new WeakMap();
/** What the compiler says of the hooks of a component, or of a hook. @type {WeakMap<object, Signature>} */
const signatures = new WeakMap();
/** What has come since the last refresh. @type {Map<Family, object>} */
const waiting = new Map();

// For code that the compiler prepares and the loader passes over.
globalThis.$RefreshReg$ ??= () => undefined;
globalThis.$RefreshSig$ ??= () => (type) => type;

const listeners = new Set();
let version = 0;

/** How many refreshes there were; a component that asks is rendered anew at each. */
export function useRefreshes() {
  return useSyncExternalStore(listen, () => version);
}

function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called by compiled code for each component that it makes. @param {string} id of the place in the code */
export function register(type, id) {
  if (!isObject(type) || familyOf.has(type)) return;
  const known = families.get(id);
  const family = known ?? { current: type, Shown: null };
  if (known) waiting.set(known, type);
  else families.set(id, family);
  familyOf.set(type, family);
}

export function getFamilyByType(type) {
  return isObject(type) ? familyOf.get(type) : undefined;
}

/** Has all that is on screen run the newest code. */
export function performReactRefresh() {
  for (const [family, next] of waiting) {
    if (!hasSameHooks(family.current, next)) family.Shown = null;
    family.current = next;
  }
  waiting.clear();
  version += 1;
  for (const listener of [...listeners]) listener();
}

/** What React is to render for a component: its stand-in, where it is one of the module's. */
export function shownFor(type) {
  const family = getFamilyByType(type);
  if (!family) return type;
  family.Shown ??= standInFor(family);
  return family.Shown;
}

function standInFor(family) {
  function StandIn(props) {
    useRefreshes();
    return rendered(family.current, props);
  }
  StandIn.displayName = nameOf(family.current);
  return StandIn;
}

/** A component called as a function, so that its hooks are its caller's; a class keeps its state itself. */
function rendered(type, props) {
  if (typeof type === 'function') return isClass(type) ? createElement(type, props) : type(props);
  if (type.$$typeof === MEMO) return rendered(type.type, props);
  if (type.$$typeof === FORWARD_REF) {
    const { ref = null, ...others } = props;
    return type.render(others, ref);
  }
  return jsx(type, props);
}

const MEMO = Symbol.for('react.memo');
const FORWARD_REF = Symbol.for('react.forward_ref');

export function isLikelyComponentType(type) {
  if (typeof type === 'object') return type !== null && [MEMO, FORWARD_REF].includes(type.$$typeof);
  if (typeof type !== 'function') return false;
  if (isClass(type)) return true;
  if (type.prototype && Object.getOwnPropertyNames(type.prototype).some((name) => name !== 'constructor')) return false;
  return /^[A-Z]/.test(nameOf(type));
}

/**
 * What one component's or hook's calls of hooks look like: `key` of its own, and the hooks of the module that it calls.
 * @typedef {{key: string, forceReset: boolean, hooks: () => unknown[], whole: string | null}} Signature
 */

/** What compiled code tells of hooks with: called with them where a component is made, and with nothing as it first runs. */
export function createSignatureFunctionForTransform() {
  let first = null;
  let hasHooksOfItsOwn = false;
  return (type, key, forceReset = false, hooks = undefined) => {
    if (typeof key !== 'string') {
      // By now all that it calls is there.
      if (first && hasHooksOfItsOwn) wholeKey(signatures.get(first));
      hasHooksOfItsOwn = false;
      return type;
    }
    if (!first) {
      first = type;
      hasHooksOfItsOwn = hooks !== undefined;
    }
    if (isObject(type)) signatures.set(type, { key, forceReset, hooks: hooks ?? (() => []), whole: null });
    return type;
  };
}

function hasSameHooks(before, next) {
  if (isClass(before) || isClass(next)) return false;
  const [one, other] = [signatures.get(before), signatures.get(next)];
  if (!one || !other) return one === other;
  return wholeKey(one) === wholeKey(other) && !other.forceReset;
}

/** The hooks, and the hooks that these call. */
function wholeKey(signature) {
  if (signature.whole !== null) return signature.whole;
  signature.whole = signature.key;
  try {
    for (const hook of signature.hooks()) {
      const called = isObject(hook) ? signatures.get(hook) : undefined;
      if (!called) continue;
      signature.whole += `\n${wholeKey(called)}`;
      signature.forceReset ||= called.forceReset;
    }
  } catch {
    // A hook that cannot be found may be any.
    signature.forceReset = true;
  }
  return signature.whole;
}

function isClass(type) {
  return typeof type === 'function' && Boolean(type.prototype?.isReactComponent);
}

function nameOf(type) {
  return type.displayName ?? type.name ?? '';
}

function isObject(value) {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}
