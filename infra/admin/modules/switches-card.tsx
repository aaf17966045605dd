import { Loaded, useTexts, useUserId } from '@cord/sdk';
import { Badge, Button, Card, Row, Skeleton, StatusDot } from '@cord/ui';
import type { ReactNode } from 'react';
import { useMoments } from '../room/moments';
import { moduleOf } from './journal-lines';
import s from './modules.module.css';
import { TEXTS } from './texts';
import type { Act, Thrown, useSwitches } from './use-modules';

interface SwitchesCardProps {
  switches: ReturnType<typeof useSwitches>;
  onAct: (act: Act) => void;
}

/** The kill switches: what is off, since when, by whom and why. Those of modules are here while they are off. */
export function SwitchesCard({ switches, onAct }: SwitchesCardProps) {
  const t = useTexts(TEXTS);
  const card = (children: ReactNode) => (
    <Card title={t.switches} padding="none" aria-label={t.switches}>
      {children}
    </Card>
  );
  return (
    <Loaded query={switches} failed={t.switchesFailed} loading={card(<Skeleton height={240} />)}>
      {(data) =>
        card(
          <ul className={s.switches}>
            {data.switches.map((one) => (
              <li key={one.name}>
                <SwitchRow one={one} onAct={onAct} />
              </li>
            ))}
          </ul>,
        )
      }
    </Loaded>
  );
}

const KNOWN = ['claims', 'orders', 'signups', 'commission'] as const;

function SwitchRow({ one, onAct }: { one: Thrown; onAct: (act: Act) => void }) {
  const t = useTexts(TEXTS);
  const own = useUserId();
  const { minute } = useMoments();
  const known = KNOWN.find((name) => name === one.name);
  const name = known ? t[`switch.${known}`] : moduleOf(one.name);
  const { on, by, byName, since, why } = one;
  const gone = /^[0-9a-f]{32}$/.test(by ?? '') ? t.operator({ id: by?.slice(0, 4) ?? '' }) : by;
  const who = by === own ? t.you : (byName ?? gone);
  return (
    <>
      <div className={s.deed}>
        <strong>
          {name}
          {on ? (
            <Row as="span" gap={6} align="center" inline className="t-small t-600 c-live t-line">
              <StatusDot tone="live" />
              {t.on}
            </Row>
          ) : (
            <Badge tone="danger">{t.off}</Badge>
          )}
        </strong>
        {known && <small>{t[`switch.${known}.effect`]}</small>}
        {!on && <p>{t.offSince({ time: since ? minute(since) : '', by: who ?? '', why: why ?? '' })}</p>}
      </div>
      <Row gap={8} wrap>
        <Button
          size="sm"
          variant={on ? 'outline' : 'secondary'}
          needsServer
          aria-label={on ? t['act.off']({ name }) : t['act.on']({ name })}
          onClick={() => onAct({ act: on ? 'off' : 'on', name: one.name })}
        >
          {on ? t.switchOff : t.switchOn}
        </Button>
      </Row>
    </>
  );
}
