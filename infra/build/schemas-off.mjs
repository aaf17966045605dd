/**
 * Stands in for zod in browser bundles. The contract's files declare their schemas with zod, and the browser takes only
 * method, path and id from them: the services check every request and response. Leaving zod out saves each bundle
 * about 60 KB gzip. Building a schema works and gives nothing; checking with one throws, so nobody relies on it by mistake.
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
