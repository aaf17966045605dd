import { overviewEndpoints } from '@cord/contracts/http/overview';
import type { Http } from '@cord/kit/http';
import type { Overview } from '../operators/overview.js';

/** What operators see first. */
export function serveOverview(http: Http, overview: Overview): void {
  http.route(overviewEndpoints.overview, () => overview.look());
}
