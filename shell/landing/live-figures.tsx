import { Cell, Cells, formatCount, formatK, StatusDot } from '@cord/ui';
import { useMediaQuery } from '../app/media-query';
import { useGlobalStats } from '../session/public-facts';
import s from './live-figures.module.css';

/** Real figures of this moment; a dash while they are not known (decisions: nothing invented). */
export function LiveFigures() {
  const { data, isPending, dataUpdatedAt } = useGlobalStats();
  const size = useMediaQuery('(min-width: 768px)') ? 'xl' : 'md';
  const shown = (text: string) => (isPending ? undefined : text);
  return (
    <section className={s.figures} aria-label="Live figures">
      <Cells columns={3} phoneColumns={3}>
        <Cell label="Miners" value={shown(formatCount(data?.totalMiners))} size={size} />
        <Cell label="CORD mined" value={shown(formatK(data?.totalMined))} size={size} />
        <Cell
          label={
            <span className={s.online}>
              <StatusDot tone={data ? 'live' : 'off'} /> Online now
            </span>
          }
          value={shown(formatCount(data?.onlineNow))}
          size={size}
        />
      </Cells>
      <p className={s.when}>
        {data
          ? `Counted from live data at ${formatTimeUtc(dataUpdatedAt)} UTC.`
          : isPending
            ? 'Counting...'
            : 'The live figures are not available at the moment.'}
      </p>
    </section>
  );
}

/** `11:03`, on the clock of Greenwich. */
function formatTimeUtc(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}
