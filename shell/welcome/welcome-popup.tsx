import { rateToNumber } from '@cord/contracts/rules/rate';
import { useAction, useMiningSession, useRuleBook, useSessionValue, useStore, useTexts, useWrite } from '@cord/sdk';
import { Avatar, Badge, Button, CordDial, Stack } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { useRef } from 'react';
import { useShell } from '../app/shell-context';
import { Place } from '../parts/place';
import { NewcomerFacts } from './newcomer-facts';
import { ReturningFacts } from './returning-facts';
import { WELCOME_TEXTS } from './texts';
import s from './welcome-popup.module.css';

/** The popup after a sign-in, with its variants for new and returning users; real amounts only. */
export function WelcomePopup() {
  const t = useTexts(WELCOME_TEXTS);
  const { startup } = useShell();
  const startNode = useAction('welcome.start');
  const facts = useStore(startup.welcome);
  const user = useSessionValue(({ user }) => user);
  const node = useMiningSession();
  const start = useWrite(() => startNode(), {
    key: ['welcome', 'start', user?.id],
    onDone: (started) => started && startup.acknowledgeWelcome(),
    toast: { failed: () => ({ kind: 'error', title: t.startFailed, text: t.startFailedText }) },
  });
  const base = rateToNumber(BigInt(useRuleBook().baseNano));
  const first = useRef<HTMLButtonElement>(null);
  if (facts === null || user === null) return null;

  const close = startup.acknowledgeWelcome;
  const runs = node?.status === 'active';
  const { isNewUser } = facts;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={isNewUser ? t.newTitle({ name: user.username }) : t.backTitle({ name: user.username })}
      titleHidden
      lead={<Badge tone={isNewUser ? 'accent' : 'plain'}>{isNewUser ? t.newBadge : t.backBadge}</Badge>}
      initialFocus={first}
      width={400}
      testId="welcome-popup"
    >
      <Stack gap={12} align="center">
        <CordDial
          state={isNewUser ? 'starting' : runs ? 'running' : node?.status === 'paused' ? 'paused' : 'idle'}
          earned={node?.earnings ?? 0}
          rate={node?.rate ?? user.rate ?? 1}
          adds={{ base, age: base * (user.multiplier - 1) }}
          size={148}
        >
          <Avatar name={user.username} src={user.avatar} size={64} />
        </CordDial>
        {isNewUser ? <NewcomerFacts user={user} facts={facts} /> : <ReturningFacts user={user} node={node} />}
        <div className={s.actions}>
          {runs ? (
            <Button ref={first} variant="primary" size="lg" block onClick={close}>
              {t.toDashboard}
            </Button>
          ) : (
            <Button
              ref={first}
              variant="primary"
              size="lg"
              block
              loading={start.isPending}
              loadingText={t.starting}
              needsServer
              onClick={() => start.press(null)}
            >
              {t.start}
            </Button>
          )}
          {!isNewUser && <Place name="welcome.actions" />}
          {!runs && (
            <Button variant="ghost" block onClick={close}>
              {t.lookAround}
            </Button>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}
