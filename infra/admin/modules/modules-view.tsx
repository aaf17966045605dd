import { moduleSwitch } from '@cord/contracts/addresses/switches';
import { Loaded, useTabView, useTexts } from '@cord/sdk';
import { Card, EmptyState, Notice, Row, Skeleton, SkeletonRegion, Stack } from '@cord/ui';
import { TriangleAlert } from 'lucide-react';
import { useChosen } from '../room/act-write';
import { ActPanel } from './act-panel';
import { Journal } from './journal';
import { LineCard } from './line-card';
import { LineTable } from './line-table';
import s from './modules.module.css';
import { SwitchesCard } from './switches-card';
import { TEXTS } from './texts';
import { type Act, actOf, actText, type Published, useReleases, useSwitches } from './use-modules';

const LOADING = (
  <SkeletonRegion>
    <Skeleton height={320} />
  </SkeletonRegion>
);

/** What is published, its journals and canaries, and the kill switches. */
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

/** Which modules are switched off. */
function offAmong(published: readonly Published[], switches: readonly { name: string; on: boolean }[]): Set<string> {
  const off = new Set(switches.flatMap(({ name, on }) => (on ? [] : [name])));
  return new Set(published.flatMap(({ name }) => (off.has(moduleSwitch(name)) ? [name] : [])));
}
