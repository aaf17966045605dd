/** The value of a date and time field, in UTC and to the minute: `2026-11-28T01:25`. */
export function toField(iso: string | null): string {
  return iso === null ? '' : new Date(iso).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/**
 * The ISO 8601 time of such a field; null if it is empty.
 * @param known the time before; if the field still shows its minute, it is returned unchanged, to the ms
 */
export function fromField(value: string, known: string | null = null): string | null {
  if (known !== null && toField(known) === value) return known;
  const ms = Date.parse(`${value}Z`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
