import type { MiningSession } from '@cord/contracts/http/mining';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import { formatTime, isLeaseOver, useSdk, useSessionValue, useTexts } from '@cord/sdk';
import {
  Badge,
  Button,
  cx,
  formatCord,
  formatMultiplier,
  formatRate,
  Row,
  UNKNOWN,
  VisuallyHidden,
  WhyPopover,
} from '@cord/ui';
import { Check, CircleAlert, Pause, RefreshCw, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { epochLabel, type RateView } from '../rate/rate-view';
import { useNextEpoch } from '../rate/use-next-epoch';
import { TEXTS } from '../texts';
import s from './lease.module.css';
import { LeaseCord, PausedCord } from './lease-cord';
import { clockOf, type Extension, leaseState, minutesSpan, missedMicro, pausedMs } from './lease-view';
import type { Node } from './use-node';

interface LeaseProps {
  node: Node;
  rate: RateView | null;
  look: 'page' | 'card';
}

const MINUTE_MS = 60_000;
const PLAIN = { base: 1, age: 0, epoch: 0, badge: 0 };

/** End of the node's lease without another visit, and what a pause has missed. */
export function Lease({ node, rate, look }: LeaseProps) {
  const wasRunning = useSessionValue(({ user }) => user?.is_node_active);
  const { phase, session } = node;
  const nowMs = useNodeTime();
  const coming = phase === 'starting' || (phase === 'loading' && wasRunning);
  if (coming) return <div className={cx(s.lease, s.place)} />;
  if (phase === 'loading') return null;
  if (session === null || session.status === 'ended') return null;
  if (session.status === 'paused' || isLeaseOver(session, nowMs)) {
    return <PausedLease session={session} rate={rate} nowMs={nowMs} />;
  }
  return <RunningLease session={session} node={node} rate={rate} look={look} nowMs={nowMs} />;
}

/** Returns the server's time in steps of a second, ms; it continues while the server is unreachable, as the node does. */
function useNodeTime(): number {
  const { clock, ticker } = useSdk();
  return useSyncExternalStore(ticker.subscribe, () => Math.floor(clock.now() / 1_000)) * 1_000;
}

interface Leased {
  session: MiningSession;
  rate: RateView | null;
  nowMs: number;
}

function RunningLease({ session, node, rate, look, nowMs }: LeaseProps & Leased) {
  const t = useTexts(TEXTS);
  const { save, controller } = node;
  const [requested, setRequested] = useState<Extension | null>(null);
  const epoch = useNextEpoch(session);
  const untilMs = Date.parse(session.leaseUntil ?? session.creditedUntil);
  const leftMs = untilMs - nowMs;
  const state = leaseState({ untilMs, nowMs, requested, ...save, lost: node.lostAtMs !== null });
  const box = useKeptFocus(state === 'extended');

  const time = clockOf(untilMs, nowMs);
  const soon = leftMs < 60 * MINUTE_MS;
  const left = minutesSpan(leftMs);
  const contactMs = untilMs - LEASE_MS;
  const whole = state === 'open' || state === 'extended';
  // The picture renders once a minute, not every second.
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const fromMs = whole ? minuteMs : contactMs;
  const title = soon ? t.leasePauses({ time }) : t.leaseRuns({ time });
  const texts = {
    open: t.leaseOpen,
    less: t.leaseLeft({ left, time: clockOf(contactMs, nowMs) }),
    soon: t.leaseSoon({ left }),
    extended: t.leaseExtended({ left, gained: minutesSpan(untilMs - (requested?.untilMs ?? untilMs)) }),
    failed: t.leaseFailed({ time }),
  };
  const text = texts[state === 'extending' ? (soon ? 'soon' : 'less') : state];
  const announcement = state === 'extended' ? `${title}. ${text}` : state === 'failed' ? text : '';

  function extend() {
    setRequested({ atMs: nowMs, untilMs });
    void controller.saver.save({ forced: true });
  }

  return (
    <div ref={box} tabIndex={-1} className={s.lease} data-testid="lease" data-value={Math.round(leftMs / MINUTE_MS)}>
      <Row gap="8px 12px" align="flex-start" between wrap>
        <div className={s.lines}>
          <p className={cx(look === 'page' ? 't-h3' : 't-strong', soon && 'c-warn')}>{title}</p>
          <Row as="p" gap={6} className={cx('t-note t-icon', state === 'failed' && 'c-danger')}>
            {state === 'failed' && <CircleAlert size={16} />}
            <span>{text}</span>
          </Row>
        </div>
        {whole ? (
          (state === 'extended' || look === 'page') && (
            <Badge tone="live" icon={<Check size={16} />}>
              {state === 'open' ? t.pageOpen : t.extended}
            </Badge>
          )
        ) : (
          <Button
            variant={soon ? 'primary' : 'secondary'}
            icon={state === 'failed' ? <RefreshCw /> : <RotateCcw />}
            loading={state === 'extending'}
            loadingText={t.extending}
            needsServer
            onClick={extend}
          >
            {state === 'failed' ? t.tryAgain : t.extend}
          </Button>
        )}
        <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      </Row>
      <LeaseCord
        {...(rate?.adds ?? PLAIN)}
        used={whole ? null : Math.max(0, minuteMs - contactMs) / LEASE_MS}
        soon={soon}
        mark={epoch === null ? null : (epoch.startsMs - fromMs) / LEASE_MS}
        from={whole ? t.fromNow({ time: formatTime(nowMs) }) : formatTime(contactMs)}
        until={formatTime(untilMs)}
        marked={epoch === null ? '' : `${formatTime(epoch.startsMs)}, ${formatMultiplier(epoch.multiplier)}`}
      />
      {epoch?.name && (
        <p className="t-note">
          {t.epochBegins({
            epoch: epochLabel(epoch.name),
            time: clockOf(epoch.startsMs, nowMs),
            rate: formatRate(epoch.rate),
          })}
        </p>
      )}
    </div>
  );
}

/** Returns a ref for the result, which takes the focus of a button that has disappeared. */
function useKeptFocus(done: boolean) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (done && lost) box.current?.focus({ preventScroll: true });
  }, [done]);
  return box;
}

function PausedLease({ session, rate, nowMs }: Leased) {
  const t = useTexts(TEXTS);
  const atMs = pausedMs(session);
  const minuteMs = Math.max(atMs, Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
  // Bounds that leave space for the times under both parts.
  const ran = Math.min(0.7, Math.max(0.3, LEASE_MS / (LEASE_MS + minuteMs - atMs)));
  const missed = rate === null ? UNKNOWN : formatCord(missedMicro(session, rate.perMinute, minuteMs));
  return (
    <div className={s.paused} data-testid="lease" data-value={0}>
      <Row gap={10} className={s.pausedHead}>
        <Pause size={20} />
        <div>
          <p className="t-strong">{t.leasePaused({ time: clockOf(atMs, nowMs) })}</p>
          <p className="t-note">{t.leasePausedText}</p>
        </div>
      </Row>
      <PausedCord
        {...(rate?.adds ?? PLAIN)}
        ran={ran}
        from={formatTime(atMs - LEASE_MS)}
        paused={formatTime(atMs)}
        now={t.nowAt({ time: formatTime(nowMs) })}
      />
      <dl className={s.missed}>
        <div>
          <dt>{t.notMined}</dt>
          <dd data-number>{minutesSpan(minuteMs - atMs)}</dd>
        </div>
        <div>
          <dt>
            {t.missedSum}
            <WhyPopover about={t.missedSum}>{t.whyMissed}</WhyPopover>
          </dt>
          <dd data-number>
            {missed} {t.unit}
          </dd>
        </div>
      </dl>
    </div>
  );
}
