import { nodeQuery, type Sdk } from '@cord/sdk';
import { epochQuery, type PartsHost, rateQuery, rulesQuery, type SessionState } from '@cord/sdk/host';
import type { Registry } from '../federation/registry';
import type { PlaceName } from '../parts/place';
import { statsQuery } from '../session/public-facts';

/** Places for module parts on the dashboard's first screen. */
const PLACES: ReadonlySet<string | null> = new Set<PlaceName>(['dashboard.top', 'dashboard.main']);

/**
 * Requests the first screen of the dashboard before it renders: the code of its parts at once, its data as soon as
 * the user is known. A phone then renders once with the data. Components repeat failed requests.
 */
export function requestFirstScreen(sdk: Sdk, host: Pick<PartsHost, 'load'>, registry: Pick<Registry, 'state'>): void {
  if (sdk.tabs.current.get() !== 'dashboard') return;
  const state = registry.state.get();
  const parts = state.status === 'known' ? state.published.parts : [];
  // Parts with a condition need the user's record first.
  const first = parts.filter(({ place, when }) => when === null && PLACES.has(place));
  for (const { name } of first) host.load(name, { fresh: false }).catch(() => undefined);

  const { session, queries } = sdk;
  const requestAnswers = ({ user }: SessionState) => {
    if (user === null) return;
    stop();
    void queries.prefetchQuery(nodeQuery(sdk, user.id));
    void queries.prefetchQuery(rateQuery(sdk, user.id));
    void queries.prefetchQuery(rulesQuery(sdk));
    void queries.prefetchQuery(epochQuery(sdk));
    void queries.prefetchQuery(statsQuery(sdk));
  };
  const stop = session.state.listen(requestAnswers);
  requestAnswers(session.state.get());
}
