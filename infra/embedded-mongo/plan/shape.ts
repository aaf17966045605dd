import { isDoc, type Value } from '../bson/values.js';

/** A filter with each value replaced by `?`: fit for a log, since it names no one. */
export function shapeOf(filter: Value): string {
  if (Array.isArray(filter)) return `[${[...new Set(filter.map(shapeOf))].join(', ')}]`;
  if (!isDoc(filter)) return '?';
  return `{${[...filter].map(([name, value]) => `${name}: ${shapeOf(value)}`).join(', ')}}`;
}
