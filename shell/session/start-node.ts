import { miningEndpoints } from '@cord/contracts/http/mining';
import { START_DELAY_MS } from '@cord/contracts/rules/timings';
import { messageOf, type Sdk, SHORT_TOAST_MS } from '@cord/sdk';
import { formatRate } from '@cord/ui';

/**
 * Starts the node with the simulated delay and the toasts of spec parts 4 and 8; the Mining page and the node card
 * hear of it through the session.
 * @returns whether it runs
 */
export async function startNode(sdk: Sdk): Promise<boolean> {
  const { user } = sdk.session.state.get();
  if (user === null) return false;
  const delay = new Promise((resolve) => setTimeout(resolve, START_DELAY_MS));
  try {
    const [session] = await Promise.all([sdk.api.call(miningEndpoints.start, { params: { id: user.id } }), delay]);
    sdk.session.observeNode(session);
    sdk.toasts.show({
      kind: 'success',
      title: 'Mining Node Started!',
      text: `Earning ${formatRate(session.rate)} CORD/min`,
      durationMs: SHORT_TOAST_MS,
    });
    return true;
  } catch (error) {
    sdk.toasts.show({
      kind: 'error',
      title: 'Failed to Start Node',
      text: messageOf(error, 'Unknown error'),
      durationMs: SHORT_TOAST_MS,
    });
    return false;
  }
}
