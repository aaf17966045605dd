import { LIVE_PATH } from '@cord/contracts/live/kinds';
import type { Http } from '@cord/kit/http';
import type { Streams } from '../streams.js';
import { STREAM_HEADERS } from '../wire.js';

/** `GET /api/events`: the live stream of the signed-in user. */
export function streamRoute(http: Http, streams: Streams): void {
  http.stream({ id: 'events.stream', path: LIVE_PATH, rateClass: 'read' }, (ctx, user) => {
    ctx.set(STREAM_HEADERS);
    if (ctx.method === 'HEAD') {
      ctx.status = 200;
      return;
    }
    ctx.respond = false;
    ctx.res.writeHead(200);
    streams.open(ctx.res, user.id);
  });
}
