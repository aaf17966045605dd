import { useStore, useTexts } from '@cord/sdk';
import { Button, ButtonLink, DiscordMark, Notice, Row, Spinner, Stack } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { Check, ChevronRight, CircleAlert, ExternalLink, Info, RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useShell } from '../app/shell-context';
import { EndedNotice } from '../session/ended-notice';
import s from './auth-modal.module.css';
import type { ConnectState } from './connect-flow';
import { DebugInfo } from './debug-info-panel';
import { CONNECT_TEXTS, connectError, TROUBLESHOOTING } from './texts';

/** The Connect Discord modal: idle, redirecting, processing, success for a second, error. */
export function AuthModal() {
  const t = useTexts(CONNECT_TEXTS);
  const { connect } = useShell();
  const state = useStore(connect.state);
  const tryAgain = useRef<HTMLButtonElement>(null);
  useSessionCheckOnReturn(state.status);

  const underWay = state.status === 'processing' || state.status === 'success';
  return (
    <Dialog
      open={state.status !== 'closed'}
      onOpenChange={(open) => !open && connect.close()}
      locked={underWay}
      title={t.title}
      description={t.subtitle}
      mark={
        <span className={s.mark}>
          <DiscordMark size={28} />
        </span>
      }
      initialFocus={tryAgain}
      width={600}
      testId="auth-modal"
    >
      {underWay ? <InProgress status={state.status} /> : <Ready state={state} tryAgain={tryAgain} />}
    </Dialog>
  );
}

function InProgress({ status }: { status: 'processing' | 'success' }) {
  const t = useTexts(CONNECT_TEXTS);
  const done = status === 'success';
  return (
    <p className={s.underWay} role="status">
      {done ? <Check size={24} className="c-live" /> : <Spinner size={24} />}
      {done ? t.success : t.processing}
    </p>
  );
}

function Ready({ state, tryAgain }: { state: ConnectState; tryAgain: React.RefObject<HTMLButtonElement | null> }) {
  const t = useTexts(CONNECT_TEXTS);
  const { connect, ended, referral } = useShell();
  const end = useStore(ended);
  const failed = state.status === 'error';
  const redirecting = state.status === 'redirecting';
  // A cancellation at Discord is the user's choice, not a failure.
  const cancelled = failed && state.key === 'denied';
  const code = referral.get();
  useEffect(() => {
    // A previous state without controls leaves the focus on the dialog itself.
    const button = tryAgain.current;
    if (button?.closest('[role="dialog"]') === document.activeElement) button?.focus();
  }, [tryAgain]);
  return (
    <Stack gap={20}>
      {failed ? (
        <Notice
          look="inline"
          tone={cancelled ? 'plain' : 'danger'}
          icon={cancelled ? <Info /> : <CircleAlert />}
          title={connectError(state.key, state.description)}
          announce
          testId="auth-error"
        >
          {code === null ? t.nothingChanged : t.keptCode({ code })}
        </Notice>
      ) : (
        <>
          {end && <EndedNotice look="inline" end={end} />}
          <p className="c-2">{t.idle}</p>
          {code !== null && <p className="c-2">{t.codeAlong({ code })}</p>}
        </>
      )}
      <Row gap={12} wrap className={s.actions}>
        <Button
          ref={tryAgain}
          variant="primary"
          icon={failed ? <RotateCw /> : <DiscordMark />}
          loading={redirecting}
          loadingText={t.redirecting}
          onClick={() => void connect.start()}
        >
          {failed ? t.tryAgain : t.connect}
        </Button>
        <ButtonLink href={connect.address()} external icon={<ExternalLink />}>
          {t.openManually}
        </ButtonLink>
        <DebugInfo state={state} />
      </Row>
      <Steps folded={!failed || cancelled} />
      <p className="t-hint">{t.scope}</p>
    </Stack>
  );
}

/** Troubleshooting steps; folded until a sign-in has failed. */
function Steps({ folded }: { folded: boolean }) {
  const t = useTexts(CONNECT_TEXTS);
  const steps = useTexts(TROUBLESHOOTING);
  const list = (
    <ol className={s.stepList}>
      {Object.values(steps).map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
  if (folded) {
    return (
      <details className={s.steps}>
        <summary className={s.stepsFold}>
          <ChevronRight size={18} />
          {t.stepsTitle}
        </summary>
        {list}
      </details>
    );
  }
  return (
    <section className={s.steps}>
      <h3 className={s.stepsTitle}>{t.stepsTitle}</h3>
      {list}
    </section>
  );
}

/** Checks the session when the page becomes visible: Open manually signs in in another tab. */
function useSessionCheckOnReturn(status: ConnectState['status']): void {
  const { startup } = useShell();
  const waiting = status === 'idle' || status === 'redirecting' || status === 'error';
  useEffect(() => {
    if (!waiting) return;
    const look = () => {
      if (document.visibilityState === 'visible') void startup.checkSignIn();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [waiting, startup]);
}
