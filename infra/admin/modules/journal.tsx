import { SHELL_LINE } from '@cord/contracts/addresses/releases';
import { useTexts } from '@cord/sdk';
import { Button, Card, Row } from '@cord/ui';
import { useMoments } from '../room/moments';
import { authorOf, deedOf, nowOf } from './journal-lines';
import s from './modules.module.css';
import { TEXTS } from './texts';
import type { Act, JournalLine, Published } from './use-modules';

interface JournalProps {
  line: Published;
  onAct: (act: Act) => void;
}

/** Who did what to a module, when and why, the newest first; each version that was in use can be again. */
export function Journal({ line, onAct }: JournalProps) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const { name, journal, more } = line;
  const { version: inUse, canary, frozen } = nowOf(line);
  const offered = new Set<string>();
  /** Once for each version: what is in use, and what is the canary, is so already. */
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
              <strong>{deedOf(t, each)}</strong>
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
