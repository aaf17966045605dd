import type { PublicRules } from '@cord/contracts/http/rules';
import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import type { BookNumber, RuleBook } from '@cord/contracts/rules/rule-book';
import { dateFormat, multiplierText, useTexts } from '@cord/sdk';
import { Card, Fact, formatRate } from '@cord/ui';
import { epochName } from '../session/epoch-name';
import { numberText, tierName } from './changes';
import s from './rules-page.module.css';
import { RULES_TEXTS } from './texts';

const utcDay = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

type Epoch = PublicRules['epochs'][number];

/** What a node earns: base, badge, epoch, and the table of ages. */
export function MiningNumbers({ book, epoch }: { book: RuleBook; epoch: Epoch | null }) {
  const t = useTexts(RULES_TEXTS);
  const plain = { antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
  return (
    <Card title={t.mining}>
      <dl>
        <Fact name={t.base}>{numberText('baseNano', book.baseNano)}</Fact>
        <Fact name={t.badge}>{numberText('badgeHundredths', book.badgeHundredths)}</Fact>
        {epoch && (
          <Fact name={t.epochNow({ name: epochName(epoch.name) })}>{multiplierText(epoch.multiplierHundredths)}</Fact>
        )}
      </dl>
      <table className={s.table}>
        <thead>
          <tr>
            <th scope="col">{t.accountAge}</th>
            <th scope="col">{t.multiplier}</th>
            <th scope="col">{t.rate}</th>
          </tr>
        </thead>
        <tbody>
          {book.tiers.map(({ fromYears, hundredths }) => (
            <tr key={fromYears}>
              <th scope="row">{tierName(fromYears)}</th>
              <td>{multiplierText(hundredths)}</td>
              <td>{formatRate(rateToNumber(rateNano(book, { tierHundredths: BigInt(hundredths), ...plain })))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={s.note}>{t.tiersNote}</p>
    </Card>
  );
}

/** What else earns CORD. */
export function OtherNumbers({ book }: { book: RuleBook }) {
  const t = useTexts(RULES_TEXTS);
  const shown = (number: BookNumber) => numberText(number, book[number]);
  return (
    <Card title={t.others}>
      <dl>
        <Fact name={t.checkin}>{shown('checkinMicro')}</Fact>
        <Fact name={t.streakStep}>{shown('streakStepMicro')}</Fact>
        <Fact name={t.streakMost}>{shown('streakMostMicro')}</Fact>
        <Fact name={t.task}>{t.taskText}</Fact>
        <Fact name={t.taskMost}>{shown('taskMostMicro')}</Fact>
        <Fact name={t.commission}>{shown('commissionPercent')}</Fact>
      </dl>
    </Card>
  );
}

/** All epochs, of the past and to come. */
export function EpochNumbers({ epochs }: { epochs: readonly Epoch[] }) {
  const t = useTexts(RULES_TEXTS);
  return (
    <Card title={t.epochs}>
      <table className={s.table}>
        <thead>
          <tr>
            <th scope="col">{t.epoch}</th>
            <th scope="col">{t.multiplier}</th>
            <th scope="col">{t.span}</th>
          </tr>
        </thead>
        <tbody>
          {epochs.map(({ id, name, multiplierHundredths, startAt, endAt }) => (
            <tr key={id}>
              <th scope="row">{epochName(name)}</th>
              <td>{multiplierText(multiplierHundredths)}</td>
              <td>
                <span className="t-line">{utcDay.format(startAt)}</span> –{' '}
                <span className="t-line">{utcDay.format(endAt)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={s.note}>{t.epochsNote}</p>
    </Card>
  );
}
