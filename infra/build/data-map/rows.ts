/** Columns of every table of the map, after the first. */
const CELLS = ['purpose', 'days', 'export', 'erasure'];

/**
 * Reads the rows of a Markdown map: for each section the code names in its table's first column.
 * @returns names by section; rows that lack a cell
 */
export function readRows(text: string): { rows: Map<string, Set<string>>; wrong: string[] } {
  const rows = new Map<string, Set<string>>();
  const wrong: string[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    section = /^## (.+)$/.exec(line)?.[1] ?? section;
    if (!line.startsWith('|') || /^\| (-|field|stream|place)/.test(line)) continue;
    const [name = '', ...cells] = line.split('|').slice(1, -1);
    const field = name.trim().replaceAll('`', '');
    const known = rows.get(section) ?? new Set<string>();
    if (known.has(field)) wrong.push(`${section}: ${field} has two rows`);
    rows.set(section, known.add(field));
    const empty = CELLS.filter((_, at) => !cells[at]?.trim());
    if (empty.length > 0) wrong.push(`${section}: ${field} has no entry for ${empty.join(', ')}`);
  }
  return { rows, wrong };
}

/**
 * Finds missing and superfluous rows of the map.
 * @param models fields by section, from the code
 * @param text the map
 * @returns one line per fault
 */
export function faultsOf(models: ReadonlyMap<string, ReadonlySet<string>>, text: string): string[] {
  const { rows, wrong } = readRows(text);
  const faults = [...wrong];
  for (const [section, fields] of models) {
    const listed = rows.get(section) ?? new Set<string>();
    for (const field of fields) if (!listed.has(field)) faults.push(`${section}: ${field} has no row`);
    for (const field of listed) if (!fields.has(field)) faults.push(`${section}: ${field} is no longer stored`);
  }
  for (const section of rows.keys())
    if (section.includes('.') && !models.has(section)) faults.push(`${section} is no longer stored`);
  return faults;
}
