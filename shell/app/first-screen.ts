import { nodeQuery, type Sdk } from '@cord/sdk';
import { epochQuery, type PartsHost, rateQuery, rulesQuery, type SessionState } from '@cord/sdk/host';
import type { Registry } from '../federation/registry';
import type { PlaceName } from '../parts/place';
import { statsQuery } from '../session/public-facts';

/** Where modules have parts on the dashboard's first screen. */
const PLACES: ReadonlySet<string | null> = new Set<PlaceName>(['dashboard.top', 'dashboard.main']);

/**
 * Requests what the dashboard begins with before any of it is drawn: the code of its parts at once, its answers when it is known whose they
 * are. So a phone draws it with them, and not anew for each. What does not come is requested again by what shows it.
 */
export function requestFirstScreen(sdk: Sdk, host: Pick<PartsHost, 'load'>, registry: Pick<Registry, 'state'>): void {
  if (sdk.tabs.current.get() !== 'dashboard') return;
  const state = registry.state.get();
  const parts = state.status === 'known' ? state.published.parts : [];
  // Those with a condition wait for the record that it is read from.
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
