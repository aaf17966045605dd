/** A value as plain JSON: amounts (bigint) become decimal strings, absent fields go. For data exports. */
export function plainJson(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? each.toString() : each)));
}
