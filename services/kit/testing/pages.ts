/** Maximum pages: a list that never ends has faulty cursors. */
const PAGES_MAX = 500;

/** Reads a paged list to its end. */
export async function allPages<P extends { nextCursor: string | null }>(
  read: (query: { cursor?: string }) => Promise<P>,
): Promise<P[]> {
  const pages: P[] = [];
  for (let cursor: string | null = null; pages.length < PAGES_MAX; ) {
    const page: P = await read(cursor === null ? {} : { cursor });
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === null) return pages;
  }
  throw new Error(`no end after ${PAGES_MAX} pages`);
}
