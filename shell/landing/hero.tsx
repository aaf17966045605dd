import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import { topHundredths } from '@cord/contracts/rules/rule-book';
import { tierHundredths, YEAR_MS } from '@cord/contracts/rules/tiers';
import { multiplierText, useMediaQuery, useRuleBook, useTexts, WIDE } from '@cord/sdk';
import { Button, CordDial, DialReading, DiscordMark, formatRate, Row, Stack } from '@cord/ui';
import { KeyRound, ShieldCheck, Timer } from 'lucide-react';
import s from './hero.module.css';
import { LANDING_TEXTS } from './texts';

const EXAMPLE_YEARS = 5;
/** Where the hand of the example stands; the dial only shows a rate. */
const EXAMPLE_EARNED = 0.385;
const POINTS = [
  { Icon: ShieldCheck, text: 'pointOauth' },
  { Icon: KeyRound, text: 'pointPassword' },
  { Icon: Timer, text: 'pointInstant' },
] as const;

/** The promise, the one primary button, and the dial of a 5-year account. */
export function Hero({ onConnect }: { onConnect: () => void }) {
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
