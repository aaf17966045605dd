import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Any } from './files.js';

const require = createRequire(import.meta.url);
const SCHEMAS = join(dirname(require.resolve('kubernetes-models')), '_schemas');

/** Returns the faults of an object by its schema; fields that the schema never reads count as unknown. */
export function problemsOf(object: Any): string[] {
  const { apiVersion, kind } = object;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const title = (name: string) => name.replace(/(^|\.)[a-z]/g, (letter) => letter.replace('.', '').toUpperCase());
  const path = title(group.split('.')[0]) + title(version) + kind;
  const { validate } = require(`${SCHEMAS}/IoK8sApi${path}.js`);
  const seen = new Set<string>();
  const valid = validate(watched(object, '', seen));
  const broken = valid ? [] : validate.errors.map(({ instancePath, message }: Any) => `${instancePath} ${message}`);
  const unknown = paths(object, '').filter((one) => !seen.has(one));
  return [...broken, ...unknown.map((one) => `${one} is not a field`)];
}

function watched(value: Any, path: string, seen: Set<string>): Any {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const inner = target[key];
      if (typeof key === 'symbol' || typeof inner === 'function') return inner;
      seen.add(`${path}/${key}`);
      return watched(inner, `${path}/${key}`, seen);
    },
  });
}

function paths(value: Any, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${path}/${key}`, ...paths(inner, `${path}/${key}`)]);
}
