import { miningEndpoints } from '@cord/contracts/http/mining';
import { START_DELAY_MS } from '@cord/contracts/rules/timings';
import { messageOf, type Sdk, SHORT_TOAST_MS } from '@cord/sdk';
import { formatRate } from '@cord/ui';
import { SESSION_TEXTS } from './texts';

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
      title: SESSION_TEXTS.get().nodeStarted,
      text: SESSION_TEXTS.get().nodeStartedText({ rate: formatRate(session.rate) }),
      durationMs: SHORT_TOAST_MS,
    });
    return true;
  } catch (error) {
    sdk.toasts.show({
      kind: 'error',
      title: SESSION_TEXTS.get().nodeStartFailed,
      text: messageOf(error, SESSION_TEXTS.get().unknownError),
      durationMs: SHORT_TOAST_MS,
    });
    return false;
  }
}
