import { isDoc, type Value } from '../bson/values.js';

/** A filter with each value replaced by `?`, so that a log contains no personal data. */
export function shapeOf(filter: Value): string {
  if (Array.isArray(filter)) return `[${[...new Set(filter.map(shapeOf))].join(', ')}]`;
  if (!isDoc(filter)) return '?';
  return `{${[...filter].map(([name, value]) => `${name}: ${shapeOf(value)}`).join(', ')}}`;
}
