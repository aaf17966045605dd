import { noticesEndpoints } from '@cord/contracts/http/notices';
import type { Http } from '@cord/kit/http';
import { languageOf } from '@cord/kit/http/language';
import type { Reading } from '../inbox/reading.js';
import { NOTICE_LANGUAGES } from '../inbox/texts.js';

/** Mounts the inbox: a user's notices, and marking them as read. */
export function inboxRoutes(http: Http, reading: Reading): void {
  http.route(noticesEndpoints.list, ({ params, query, user, koa }) =>
    reading.page(params.id, {
      ...query,
      language: languageOf(koa, NOTICE_LANGUAGES),
      sessionId: user.sessionId,
    }),
  );
  http.route(noticesEndpoints.read, async ({ params, body, user: { sessionId } }) => ({
    unread: await reading.read(params.id, Date.parse(body.upTo), { sessionId }),
  }));
}
