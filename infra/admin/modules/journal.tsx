import { SHELL_LINE } from '@cord/contracts/addresses/releases';
import { type TextsOf, useTexts } from '@cord/sdk';
import { Button, Card, formatPercent, Row } from '@cord/ui';
import { useMoments } from '../room/moments';
import s from './modules.module.css';
import { TEXTS } from './texts';
import type { Act, JournalLine, Published } from './use-modules';

interface JournalProps {
  line: Published;
  onAct: (act: Act) => void;
}

/** The journal of a module, newest first: who did what, when and why. Each version that was in use can be restored. */
export function Journal({ line, onAct }: JournalProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const { name, journal, more } = line;
  const { version: inUse, canary, frozen } = nowOf(line);
  const offered = new Set<string>();
  /** A version is offered once, and not if it is in use or the canary already. */
  const offers = ({ version }: JournalLine) => {
    if (version === inUse || offered.has(version)) return false;
    offered.add(version);
    return true;
  };
  return (
    <Card
      title={<span className="t-break">{t.journal({ name })}</span>}
      padding="none"
      aria-label={t.journal({ name })}
    >
      <ol className={s.journal}>
        {journal.map((each) => (
          <li key={each.seq}>
            <div className={s.deed}>
              <strong>{actionText(t, each)}</strong>
              <small>{t.author({ time: minute(each.when), by: authorOf(t, each) })}</small>
              {each.why !== '' && <p>{each.why}</p>}
            </div>
            {offers(each) && (
              <Row gap={8} wrap>
                <Button
                  size="sm"
                  needsServer
                  aria-label={t.backToName({ version: each.version })}
                  onClick={() => onAct({ act: 'rollback', name, version: each.version })}
                >
                  {t.backTo}
                </Button>
                {name !== SHELL_LINE && !frozen && canary?.version !== each.version && (
                  <Button
                    size="sm"
                    variant="ghost"
                    needsServer
                    aria-label={t.asCanaryName({ version: each.version })}
                    onClick={() => onAct({ act: 'canary', name, version: each.version })}
                  >
                    {t.asCanary}
                  </Button>
                )}
              </Row>
            )}
          </li>
        ))}
      </ol>
      {more && <p className={s.foot}>{t.older}</p>}
    </Card>
  );
}

type T = TextsOf<typeof TEXTS>;

/** A share of browsers as text. */
export function shareOf(share: number): string {
  return formatPercent(share * 100);
}

/** The author of a journal line. */
export function authorOf(t: T, { who, by }: Pick<JournalLine, 'who' | 'by'>): string {
  return by === 'start' ? t.atStart({ who }) : who;
}

/** The action of a journal line as text. An action of a newer release is shown by its name. */
function actionText(t: T, { action, version, canary }: JournalLine): string {
  switch (action) {
    case 'publish':
    case 'promote':
    case 'rollback':
      return t[`action.${action}`]({ version });
    case 'canary':
      return t['action.canary']({ canary: canary?.version ?? version, share: shareOf(canary?.share ?? 0) });
    case 'end-canary':
    case 'freeze':
    case 'unfreeze':
      return t[`action.${action}`];
    default:
      return t['action.other']({ action, version });
  }
}

/** The newest line; it names the version in use. */
export function nowOf({ journal }: Published): JournalLine {
  // The contract requires at least one line.
  return journal[0] as JournalLine;
}

/** The line that put the current version into use; undefined if it is older than the lines in the response. */
export function introducedBy({ journal }: Published): JournalLine | undefined {
  return journal.find(({ version, from }) => version !== from);
}

/** The module of a module switch (`moduleSwitch`); any other name is returned as it is. */
export function moduleOf(name: string): string {
  return name.replace(/^module\./, '');
}

/** The name as the commands accept it: `tasks` for `mfe_tasks`. */
export function shortName(name: string): string {
  return name.replace(/^mfe_/, '').replaceAll('_', '-');
}
