import { DESK, dateFormat, isUnread, useMediaQuery, useSdk, useTexts } from '@cord/sdk';
import { Cell, Cells, formatCount, formatK, Row, StatusDot } from '@cord/ui';
import { useGlobalStats } from '../session/public-facts';
import s from './live-figures.module.css';
import { LANDING_TEXTS } from './texts';

const clockOfGreenwich = dateFormat({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Real figures of this moment; a dash while they are not known. */
export function LiveFigures() {
  const t = useTexts(LANDING_TEXTS);
  const { clock } = useSdk();
  const read = useGlobalStats();
  const { data, dataUpdatedAt } = read;
  const waits = data === undefined && !isUnread(read);
  // By the server's clock: the device's may be set otherwise.
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
