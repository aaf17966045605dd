import { moduleSwitch } from '@cord/contracts/addresses/switches';
import { Loaded, useTabView, useTexts, useToasts, useUserId } from '@cord/sdk';
import { Badge, Button, Card, EmptyState, Notice, Row, Skeleton, SkeletonRegion, Stack, StatusDot } from '@cord/ui';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useChosen } from '../room/act-write';
import { type Change, ConfirmPanel } from '../room/confirm-panel';
import { useMoments } from '../room/moments';
import { Journal, moduleOf, nowOf, shareOf } from './journal';
import { LineCard, LineTable } from './line-card';
import s from './modules.module.css';
import { TEXTS } from './texts';
import {
  type Act,
  actOf,
  actText,
  CANARY_SHARE,
  type Published,
  type Thrown,
  useAct,
  useReleases,
  useSwitches,
} from './use-modules';

const LOADING = <SkeletonRegion heights={[320]} />;

/** Published modules, their journals and canaries, and the kill switches. */
export default function ModulesView() {
  const t = useTexts(TEXTS);
  const releases = useReleases();
  const switches = useSwitches();
  const view = useTabView('module');
  const { chosen: doing, choose, finish } = useChosen('doing');
  const { data, isError } = releases;
  const published = data?.published ?? [];
  const chosen = published.find(({ name }) => name === view.value) ?? published[0];
  const off = offAmong(published, switches.data?.switches ?? []);
  const open = (act: Act) => choose(actText(act));
  const act = actOf(doing);
  const about = act && published.find(({ name }) => name === act.name);
  return (
    <Stack gap={16}>
      <Row as="header" gap="4px 16px" align="center" between wrap>
        <h1 className="t-h1">{t.title}</h1>
      </Row>
      {data !== undefined && isError && (
        <Notice look="inline" tone="warn" icon={<TriangleAlert />} title={t.stale} announce />
      )}
      {data?.unreadable.map((name) => (
        <Notice key={name} look="inline" tone="warn" icon={<TriangleAlert />} title={t.unreadable({ name })} />
      ))}
      <Stack gap={16} className={s.columns}>
        <Stack gap={16}>
          <Loaded query={releases} failed={t.failed} loading={LOADING} compact={false}>
            {() =>
              chosen ? (
                <>
                  <LineTable published={published} off={off} chosen={chosen.name} view={view} />
                  <Journal line={chosen} onAct={open} />
                </>
              ) : (
                <Card>
                  <EmptyState title={t.none} level={2} />
                </Card>
              )
            }
          </Loaded>
        </Stack>
        <Stack gap={16}>
          {act && (about || !('version' in act)) && (
            <ActPanel
              key={actText(act)}
              act={act}
              line={about ?? undefined}
              onDone={() => finish(actText(act))}
              onClose={() => choose(null)}
            />
          )}
          {chosen && <LineCard line={chosen} isOff={off.has(chosen.name)} onAct={open} />}
          <SwitchesCard switches={switches} onAct={open} />
        </Stack>
      </Stack>
    </Stack>
  );
}

/** The modules that are switched off. */
function offAmong(published: readonly Published[], switches: readonly { name: string; on: boolean }[]): Set<string> {
  const off = new Set(switches.flatMap(({ name, on }) => (on ? [] : [name])));
  return new Set(published.flatMap(({ name }) => (off.has(moduleSwitch(name)) ? [name] : [])));
}

interface ActPanelProps {
  act: Act;
  /** The module of the act; undefined for a switch. */
  line: Published | undefined;
  onDone: () => void;
  onClose: () => void;
}

/**
 * Shows what an act changes and requires a reason, which goes to the audit log and the journal of the module. The act applies to the state
 * in which the panel opened: after another change it is refused.
 */
function ActPanel({ act, line, onDone, onClose }: ActPanelProps) {
  const t = useTexts(TEXTS);
  const [seen] = useState(line);
  const { show } = useToasts();
  const { press, isPending, error } = useAct(() => {
    show({ kind: 'success', title: t.done });
    onDone();
  });
  const name = moduleOf(act.name);
  const title = t[`act.${act.act}`]({ name });
  return (
    <ConfirmPanel
      about={actText(act)}
      title={title}
      changes={useChanges(act, seen)}
      note={t[`effect.${act.act}`]}
      confirmText={title}
      busyText={t.sending}
      danger={act.act === 'off'}
      busy={isPending}
      error={error}
      failedText={t.actFailed}
      onConfirm={(reason) => press({ act, reason, seq: seen ? nowOf(seen).seq : 0 })}
      onClose={onClose}
    />
  );
}

/** The values before and after, as far as the act has them. */
function useChanges(act: Act, seen: Published | undefined): Change[] {
  const t = useTexts(TEXTS);
  if (!('version' in act) || seen === undefined) return [];
  const { version: inUse, canary } = nowOf(seen);
  const canaryNow = canary ? t.canaryOf({ version: canary.version, share: shareOf(canary.share) }) : t.noCanary;
  const version = act.version ?? inUse;
  switch (act.act) {
    case 'rollback':
      return [{ what: t.inUse, before: inUse, after: version }];
    case 'promote':
      return [{ what: t.inUse, before: inUse, after: canary?.version ?? inUse }];
    case 'canary':
      return [{ what: t.canaryIs, before: canaryNow, after: t.canaryOf({ version, share: shareOf(CANARY_SHARE) }) }];
    case 'end-canary':
      return [{ what: t.canaryIs, before: canaryNow, after: t.noCanary }];
    case 'freeze':
      return [{ what: t.publishes, before: t.taken, after: t.notTaken }];
    case 'unfreeze':
      return [{ what: t.publishes, before: t.notTaken, after: t.taken }];
  }
}

interface SwitchesCardProps {
  switches: ReturnType<typeof useSwitches>;
  onAct: (act: Act) => void;
}

/** The kill switches: what is off, since when, by whom and why. Switches of modules are listed only while they are off. */
function SwitchesCard({ switches, onAct }: SwitchesCardProps) {
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
