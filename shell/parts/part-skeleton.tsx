import { useSessionValue } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import { Card, Cell, cx, Skeleton, SkeletonRegion } from '@cord/ui';
import type { PartEntry, Room } from '../federation/entries';
import { useTextOf } from '../tabs/tab-list';
import { OWN_PARTS } from './own-parts';
import s from './part-skeleton.module.css';
import { usePartEntry, useUserFlag } from './use-part-entry';

/** Placeholder of a part in the shape of its content (storybook/ui/README.md#feedback). */
export function PartSkeleton({ name }: { name: PartName }) {
  const entry = usePartEntry(name);
  const own = OWN_PARTS[name];
  const filled = useUserFlag(entry?.roomUnless ?? null) === true;
  if (own) return own.room && <CardRoom room={own.room} />;
  if (entry === undefined || filled) return null;
  return entry.room === 'cell' ? <CellRoom words={entry.words} /> : <RoomSkeleton room={entry.room} />;
}

/** A cell with its label and without a value. */
function CellRoom({ words }: Pick<PartEntry, 'words'>) {
  return <Cell label={useTextOf(words)} value={undefined} hint={'\u00a0'} />;
}

/** Placeholder of a shape; none for parts that may be empty. */
export function RoomSkeleton({ room }: { room: Room }) {
  if (room === 'none' || room === 'cell') return null;
  if (room === 'button') {
    return (
      <span className={s.button}>
        <Skeleton height={40} className={s.control} />
      </span>
    );
  }
  if (room === 'banner' || room === 'row') {
    return (
      <div className={cx(s[room], s.empty)}>
        <Skeleton height="100%" card={room === 'banner'} />
      </div>
    );
  }
  if (room === 'ring-card') return <RingSkeleton />;
  if (room === 'chart-card') return <CardRoom room={room} />;
  return (
    <Card className={s.empty}>
      <SkeletonRegion className={s.lines}>
        <Skeleton width="45%" height={26} />
        <Skeleton width="30%" height={32} />
        <Skeleton height={8} />
        <Skeleton width="80%" />
        <Skeleton width="70%" />
        <Skeleton height={40} />
      </SkeletonRegion>
    </Card>
  );
}

/** An empty card of the expected height. */
export function CardRoom({ room }: { room: Room | 'switch' }) {
  return (
    <Card className={s.empty}>
      <div className={room === 'switch' ? s.switch : room === 'chart-card' ? s.chart : s.room} />
    </Card>
  );
}

/** Placeholder of the node; a running one is higher. */
function RingSkeleton() {
  const isRunning = useSessionValue(({ user }) => user?.is_node_active === true);
  return (
    <Card className={s.empty}>
      <SkeletonRegion className={cx(s.node, isRunning && s.running)}>
        <span className={s.ring} aria-hidden="true" />
        <div className={s.lines}>
          <Skeleton width="45%" height={24} />
          <Skeleton width="60%" height={38} />
          <Skeleton width="75%" height={44} />
          <Skeleton height={8} />
          <Skeleton width={140} height={40} />
        </div>
      </SkeletonRegion>
    </Card>
  );
}
