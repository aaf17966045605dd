import { useStore, useTexts } from '@cord/sdk';
import { Button, DiscordMark, Logo, Notice, Row } from '@cord/ui';
import { LogIn } from 'lucide-react';
import { useEffect } from 'react';
import { useShell } from '../app/shell-context';
import { EndedNotice } from '../session/ended-notice';
import { Hero } from './hero';
import s from './landing.module.css';
import { LiveFigures } from './live-figures';
import { Promises } from './promises';
import { LANDING_TEXTS } from './texts';
import { TierSection } from './tier-section';

/** All there is without a sign-in. */
export function Landing() {
  const t = useTexts(LANDING_TEXTS);
  const { connect, ended, tabs } = useShell();
  const end = useStore(ended);
  const tab = useStore(tabs.current);
  const miner = useStore(tabs.params)[tab]?.miner;
  useEffect(() => {
    document.title = 'CORD';
  }, []);
  return (
    <div className={s.page}>
      <header className={s.header}>
        <div className={s.bar}>
          <Logo size={28} named />
          <Row as="nav" gap={24} align="center" aria-label={t.pageNav}>
            <a className={s.how} href="#how-it-works">
              {t.howItWorks}
            </a>
            <Button icon={<DiscordMark />} onClick={connect.open}>
              <span className="l-from768">{t.connect}</span>
              <span className="l-below768">{t.connectShort}</span>
            </Button>
          </Row>
        </div>
      </header>
      <main className="l-page">
        {end !== null ? (
          <div className={s.notice}>
            <EndedNotice end={end} testId="signed-out" />
          </div>
        ) : (
          tab !== 'dashboard' && (
            <div className={s.notice}>
              <Notice tone="sky" icon={<LogIn />} title={miner ? t.linkToMiner : t.linkToPage} testId="link-kept">
                {t.linkText}
              </Notice>
            </div>
          )
        )}
        <Hero onConnect={connect.open} />
        <TierSection />
        <Promises />
        <LiveFigures />
      </main>
      <footer className={s.footer}>
        <Logo size={18} named className={s.mark} />
        <p className="t-hint">
          {t.footer} <a href="/?tab=settings&view=rules">{t.rules}</a>
        </p>
      </footer>
    </div>
  );
}
