import { messageOf, type Sdk, SHORT_TOAST_MS, startNode } from '@cord/sdk';
import { formatRate } from '@cord/ui';
import { SESSION_TEXTS } from './texts';

/**
 * Starts the node with the toasts of spec parts 4 and 8; the Mining page and the node card hear of it through the session.
 * @returns whether it runs
 */
export async function startNodeAloud(sdk: Sdk): Promise<boolean> {
  const { user } = sdk.session.state.get();
  if (user === null) return false;
  try {
    const session = await startNode(sdk, user.id);
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
