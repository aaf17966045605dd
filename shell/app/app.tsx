import {
  type Again,
  AreaBoundary,
  Lazy,
  useOnRecovery,
  useSessionValue,
  useStore,
  useTabView,
  useTexts,
  useUserId,
} from '@cord/sdk';
import { AUTH_MODAL, LANDING, RULES_PAGE, RULES_VIEW, SIGNED_IN } from './bundles';
import { useShell } from './shell-context';
import { StartFailed } from './start-failed';
import { APP_TEXTS } from './texts';

/** Session gate: landing page or app. While it renders nothing, index.html shows the loading screen. */
export function App() {
  const { startup } = useShell();
  const state = useStore(startup.state);
  const status = useSessionValue((session) => session.status);
  const userId = useUserId();
  useOnRecovery(() => void startup.run(), state.status === 'failed');

  if (status === 'signed-in' && userId !== null) return <SignedInArea userId={userId} />;
  if (state.status === 'failed') return <StartFailed onRetry={startup.run} />;
  return <SignedOutArea starting={state.status === 'starting'} />;
}

/**
 * The landing page with the sign-in modal over it; on return from Discord the modal shows the progress of the
 * sign-in. On a device without a session the landing page is shown at once, before the server has confirmed it.
 */
function SignedOutArea({ starting }: { starting: boolean }) {
  const t = useTexts(APP_TEXTS);
  const { connect, sessionExpected } = useShell();
  const connecting = useStore(connect.state).status;
  const view = useTabView('view');
  if (starting && sessionExpected && connecting === 'closed') return null;
  // A sign-in link that works without the modal.
  const signInLink = () => <a href={connect.address()}>{t.signInLink}</a>;
  return (
    <>
      <AreaBoundary place={{ part: 'landing' }} fallback={startFailed}>
        {view.value === RULES_VIEW ? (
          <Lazy key="rules" of={RULES_PAGE} part="rules" props={{ onBack: null }} failed={startFailed} />
        ) : (
          <Lazy key="landing" of={LANDING} part="landing" failed={startFailed} />
        )}
      </AreaBoundary>
      {connecting !== 'closed' && (
        <AreaBoundary place={{ part: 'auth-modal' }} fallback={signInLink}>
          <Lazy of={AUTH_MODAL} part="auth-modal" failed={signInLink} />
        </AreaBoundary>
      )}
    </>
  );
}

function SignedInArea({ userId }: { userId: string }) {
  return (
    <AreaBoundary place={{ part: 'signed-in' }} fallback={startFailed}>
      <Lazy key={userId} of={SIGNED_IN} part="signed-in" failed={startFailed} />
    </AreaBoundary>
  );
}

function startFailed(again: Again) {
  return <StartFailed {...again} />;
}
