import { noticesEndpoints } from '@cord/contracts/http/notices';
import type { Http } from '@cord/kit/http';
import type { Reading } from '../inbox/reading.js';

/** The inbox: what a user was told, and what of it is read (interface.md, Shapes). */
export function inboxRoutes(http: Http, reading: Reading): void {
  http.route(noticesEndpoints.list, ({ params, query }) => reading.page(params.id, query));
  http.route(noticesEndpoints.read, async ({ params, body }) => ({
    unread: await reading.read(params.id, Date.parse(body.upTo)),
  }));
}
