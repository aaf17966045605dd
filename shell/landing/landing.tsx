import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import { topHundredths } from '@cord/contracts/rules/rule-book';
import { tierHundredths, YEAR_MS } from '@cord/contracts/rules/tiers';
import {
  DESK,
  dateFormat,
  isUnread,
  multiplierText,
  useMediaQuery,
  useRuleBook,
  useSdk,
  useStore,
  useTexts,
  WIDE,
} from '@cord/sdk';
import {
  Button,
  Cell,
  Cells,
  CordDial,
  DialReading,
  DiscordMark,
  formatCount,
  formatExact,
  formatK,
  formatRate,
  Logo,
  Notice,
  Row,
  Stack,
  StatusDot,
} from '@cord/ui';
import { CalendarCheck, Gauge, KeyRound, LogIn, ShieldCheck, Timer, Trophy } from 'lucide-react';
import { useEffect } from 'react';
import { useShell } from '../app/shell-context';
import { EndedNotice } from '../session/ended-notice';
import { useGlobalStats } from '../session/public-facts';
import s from './landing.module.css';
import { LANDING_TEXTS } from './texts';
import { TierSection } from './tier-section';

/** The page without a sign-in. */
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

const EXAMPLE_YEARS = 5;
/** Position of the example's hand; the dial only shows a rate. */
const EXAMPLE_EARNED = 0.385;
const POINTS = [
  { Icon: ShieldCheck, text: 'pointOauth' },
  { Icon: KeyRound, text: 'pointPassword' },
  { Icon: Timer, text: 'pointInstant' },
] as const;

/** The promise, the one primary button, and the dial of a 5-year account. */
function Hero({ onConnect }: { onConnect: () => void }) {
  const t = useTexts(LANDING_TEXTS);
  const size = useMediaQuery(WIDE) ? 430 : 322;
  const book = useRuleBook();
  const tier = tierHundredths(book, EXAMPLE_YEARS * YEAR_MS);
  const plain = { antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
  const rate = rateToNumber(rateNano(book, { tierHundredths: tier, ...plain }));
  const base = rateToNumber(BigInt(book.baseNano));
  const turnSeconds = Math.round(60 / rate);
  return (
    <section className={s.hero}>
      <Stack gap={24} align="start" className={s.texts}>
        <h1 className="t-display">{t.title}</h1>
        <p className={s.intro}>{t.intro({ multiplier: multiplierText(topHundredths(book)) })}</p>
        <Button
          variant="primary"
          size="lg"
          icon={<DiscordMark size={22} />}
          onClick={onConnect}
          className={s.call}
          data-focus-first
        >
          {t.call}
        </Button>
        <ul className={s.points}>
          {POINTS.map(({ Icon, text }) => (
            <Row as="li" key={text} gap={10} align="center">
              <Icon size={18} className="c-live" aria-hidden="true" />
              {t[text]}
            </Row>
          ))}
        </ul>
      </Stack>
      <Stack as="figure" gap={16} align="center">
        <CordDial state="running" earned={EXAMPLE_EARNED} rate={rate} adds={{ base, age: rate - base }} size={size}>
          <DialReading
            size={size}
            above={t.exampleAccount({ years: EXAMPLE_YEARS })}
            number={formatRate(rate)}
            under={t.perMinute}
          />
        </CordDial>
        <figcaption className={s.caption}>{t.exampleTurn({ seconds: turnSeconds })}</figcaption>
      </Stack>
    </section>
  );
}

const clockOfGreenwich = dateFormat({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Current public figures; a dash while unknown. */
function LiveFigures() {
  const t = useTexts(LANDING_TEXTS);
  const { clock } = useSdk();
  const read = useGlobalStats();
  const { data, dataUpdatedAt } = read;
  const waits = data === undefined && !isUnread(read);
  // Uses the server's clock, since the device's may be wrong.
  const countedMs = clock.now() - (Date.now() - dataUpdatedAt);
  const size = useMediaQuery(DESK) ? 'xl' : 'md';
  const shown = (text: string) => (waits ? undefined : text);
  return (
    <section className={s.figures} aria-label={t.figuresLabel}>
      <Cells columns={3} phoneColumns={3}>
        <Cell label={t.miners} value={shown(formatCount(data?.totalMiners))} size={size} />
        <Cell label={t.mined} value={shown(formatK(data?.totalMined))} size={size} />
        <Cell
          label={
            <Row as="span" inline gap={6} align="center">
              <StatusDot tone={data ? 'live' : 'off'} /> {t.onlineNow}
            </Row>
          }
          value={shown(formatCount(data?.onlineNow))}
          size={size}
        />
      </Cells>
      <p className={s.when}>
        {data ? t.countedAt({ time: clockOfGreenwich.format(countedMs) }) : waits ? t.counting : t.notCounted}
      </p>
    </section>
  );
}

/** Promises of the page. */
function Promises() {
  const t = useTexts(LANDING_TEXTS);
  const { checkinMicro, streakMostMicro } = useRuleBook();
  const checkin = { reward: formatExact(checkinMicro, 6), bonus: formatExact(streakMostMicro, 6) };
  const promises = [
    { Icon: Gauge, title: t.promiseMine, text: t.promiseMineText },
    { Icon: CalendarCheck, title: t.promiseTasks, text: t.promiseTasksText(checkin) },
    { Icon: Trophy, title: t.promiseRankings, text: t.promiseRankingsText },
  ];
  return (
    <section className={s.promises} aria-label={t.promisesLabel}>
      {promises.map(({ Icon, title, text }) => (
        <div key={title}>
          <Icon size={24} className="c-accent" aria-hidden="true" />
          <h3 className={s.title}>{title}</h3>
          <p className={s.text}>{text}</p>
        </div>
      ))}
    </section>
  );
}
