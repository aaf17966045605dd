/** Browsers that support light-dark(), :has(), container queries and AbortSignal.any(). */
export const BROWSERS = ['chrome 123', 'edge 123', 'firefox 124', 'safari 17.5'];

/** Display names of the browsers. Browsers based on Chromium use Chrome's version. */
const NAMES: Record<string, { ids: string[]; de?: string }> = {
  'Chrome, Edge': { ids: ['chrome', 'edge'] },
  Firefox: { ids: ['firefox'] },
  'Safari on iPhone, iPad and Mac': { ids: ['safari'], de: 'Safari auf iPhone, iPad und Mac' },
  'Others, built on Chromium': { ids: ['chrome'], de: 'Andere, auf Chromium gebaut' },
};

/**
 * Renders the list as table rows for the page that an older browser shows.
 * @param browsers as `BROWSERS`
 * @returns HTML
 * @throws {Error} when one row would need two versions
 */
export function browserRows(browsers: readonly string[] = BROWSERS): string {
  const versions = new Map(browsers.map((browser) => browser.split(' ') as [id: string, version: string]));
  const rows = Object.entries(NAMES).map(([name, { ids, de }]) => {
    const [version, ...others] = new Set(ids.map((id) => versions.get(id)));
    if (version === undefined || others.length > 0) throw new Error(`${name}: versions of ${ids.join(', ')} differ`);
    const words = de ? ` data-de="${de}"` : '';
    return `<tr><th scope="row"${words}>${name}</th><td>${version}</td></tr>`;
  });
  return rows.join('');
}
