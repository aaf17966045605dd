/** `07:21` on this device's clock face. */
export function formatTime(ms: number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(ms);
}

/** `3 Oct 2026`, or `3 Oct` without the year. */
export function formatDate(ms: number, withYear = true): string {
  const year = withYear ? ({ year: 'numeric' } as const) : {};
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...year }).format(ms);
}
