import { SHELL_LINE } from '@cord/contracts/addresses/releases';
import { moduleSwitch } from '@cord/contracts/addresses/switches';
import { useTexts } from '@cord/sdk';
import { Button, Card, CopyField, formatCount, Row, Stack, UNKNOWN } from '@cord/ui';
import { type FactLine, Facts } from '../room/facts';
import { nowOf, shareOf, shortName } from './journal-lines';
import { State } from './line-table';
import s from './modules.module.css';
import { TEXTS } from './texts';
import type { Act, Published } from './use-modules';

interface LineCardProps {
  line: Published;
  isOff: boolean;
  onAct: (act: Act) => void;
}

/** One module or the shell: what it is, and what can be done about it without a build. */
export function LineCard({ line, isOff, onAct }: LineCardProps) {
  const t = useTexts(TEXTS);
  const { name, sdk, ui, size, previous } = line;
  const { canary, frozen, version } = nowOf(line);
  const isShell = name === SHELL_LINE;
  const facts: FactLine[] = [
    [t.inUse, version],
    [isShell ? t.carries : t.wants, t.versions({ sdk, ui: ui ?? UNKNOWN })],
  ];
  if (size !== null) facts.push([t.size, t.kib({ size: formatCount(Math.round(size / 1_024)) })]);
  if (canary) facts.push([t.canaryIs, t.canaryOf({ version: canary.version, share: shareOf(canary.share) })]);
  const release =
    (act: Exclude<Act['act'], 'on' | 'off'>, to: string | null = null) =>
    () =>
      onAct({ act, name, version: to });
  return (
    <Card
      title={<span className="t-break">{name}</span>}
      aria-label={name}
      aside={<State line={line} isOff={isOff} />}
      className={s.stack}
    >
      <Facts facts={facts} />
      <Row gap={8} wrap>
        {canary && (
          <>
            <Button size="sm" needsServer disabled={frozen} disabledReason={t.frozenFirst} onClick={release('promote')}>
              {t.promote}
            </Button>
            <Button size="sm" needsServer onClick={release('end-canary')}>
              {t.endCanary}
            </Button>
          </>
        )}
        {previous !== null && (
          <Button size="sm" needsServer onClick={release('rollback', previous)}>
            {t.rollBack}
          </Button>
        )}
        <Button size="sm" needsServer onClick={release(frozen ? 'unfreeze' : 'freeze')}>
          {frozen ? t.unfreeze : t.freeze}
        </Button>
        {!isShell && (
          <Button
            size="sm"
            variant={isOff ? 'secondary' : 'outline'}
            needsServer
            onClick={() => onAct({ act: isOff ? 'on' : 'off', name: moduleSwitch(name) })}
          >
            {isOff ? t.switchOn : t.switchOff}
          </Button>
        )}
      </Row>
      <Stack gap={8}>
        <p className="t-note">{t.publishHow}</p>
        <CopyField label={t.command} value={t.publish({ name: shortName(name) })} command />
      </Stack>
    </Card>
  );
}
