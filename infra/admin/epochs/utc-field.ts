/** The value of a field of date and time for a moment, in UTC and to the minute: `2026-11-28T01:25`. */
export function toField(iso: string | null): string {
  return iso === null ? '' : new Date(iso).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/**
 * The time of such a field, as the API takes it; null for an empty one.
 * @param known what stood there: a time that the field still shows to the minute stays as it was, to the ms
 */
export function fromField(value: string, known: string | null = null): string | null {
  if (known !== null && toField(known) === value) return known;
  const ms = Date.parse(`${value}Z`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
