/** Each row once, by its id: two pages of which one was read later may overlap. */
export function onceEach<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
