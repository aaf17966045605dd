import { useMiningSession, useSdk, useSession, useStore } from '@cord/sdk';
import { Avatar, Badge, Button, CordDial, Dialog } from '@cord/ui';
import { useRef, useState } from 'react';
import { useShell } from '../app/shell-context';
import { startNode } from '../session/start-node';
import { NewcomerFacts } from './newcomer-facts';
import { ReturningFacts } from './returning-facts';
import { WELCOME_TEXTS } from './texts';
import s from './welcome-popup.module.css';

/** The popup after a sign-in (spec part 2), with its variants for new and returning users; real amounts only. */
export function WelcomePopup() {
  const { startup } = useShell();
  const sdk = useSdk();
  const facts = useStore(startup.welcome);
  const { user } = useSession();
  const node = useMiningSession();
  const [starting, setStarting] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  if (facts === null || user === null) return null;

  const close = startup.acknowledgeWelcome;
  const start = async () => {
    setStarting(true);
    if (await startNode(sdk)) close();
    setStarting(false);
  };
  const runs = node?.status === 'active';
  const { isNewUser } = facts;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={isNewUser ? WELCOME_TEXTS.newTitle(user.username) : WELCOME_TEXTS.backTitle(user.username)}
      titleHidden
      lead={
        <Badge tone={isNewUser ? 'accent' : 'plain'}>
          {isNewUser ? WELCOME_TEXTS.newBadge : WELCOME_TEXTS.backBadge}
        </Badge>
      }
      initialFocus={first}
      width={400}
      testId="welcome-popup"
    >
      <div className={s.popup}>
        <CordDial
          state={isNewUser ? 'starting' : runs ? 'running' : node?.status === 'paused' ? 'paused' : 'idle'}
          earned={node?.earnings ?? 0}
          rate={node?.rate ?? user.rate ?? 1}
          adds={{ base: 0.5, age: 0.5 * (user.multiplier - 1) }}
          size={148}
        >
          <Avatar name={user.username} src={user.avatar} size={64} />
        </CordDial>
        {isNewUser ? <NewcomerFacts user={user} facts={facts} /> : <ReturningFacts user={user} node={node} />}
        <div className={s.actions}>
          {runs ? (
            <Button ref={first} variant="primary" size="lg" block onClick={close}>
              {WELCOME_TEXTS.toDashboard}
            </Button>
          ) : (
            <>
              <Button
                ref={first}
                variant="primary"
                size="lg"
                block
                loading={starting}
                loadingText={WELCOME_TEXTS.starting}
                onClick={() => void start()}
              >
                {WELCOME_TEXTS.start}
              </Button>
              <Button variant="ghost" block onClick={close}>
                {WELCOME_TEXTS.lookAround}
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
