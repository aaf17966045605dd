/** Returns the sorted metric names in a text of /metrics. */
export function namesShown(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name).sort();
}
