/**
 * Stands in for zod in browser bundles, where contract-addresses.mjs leaves a schema over: the browser takes only method,
 * path and id from the contract; the services check every request and response. Leaving zod out saves each bundle some
 * 60 KB gzip. Building a schema works and gives nothing; checking with one throws, so nobody relies on it by mistake.
 */
const CHECKS = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'decode', 'encode', 'spa']);

function refuse() {
  throw new TypeError('Schemas do not check anything in the browser; the services do');
}

const nothing = new Proxy(() => undefined, {
  get(_target, key) {
    if (typeof key === 'symbol' || key === 'then') return undefined;
    return CHECKS.has(key) ? refuse : nothing;
  },
  apply: () => nothing,
});

export const z = nothing;
export default nothing;
