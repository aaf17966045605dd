import type { AnnouncedBook } from '@cord/contracts/http/rules';
import { bookAt } from '@cord/contracts/rules/rule-book';
import { Loaded, useRules, useServerNow, useTabParam, useTexts } from '@cord/sdk';
import { Button, Card, Row, Skeleton, Stack } from '@cord/ui';
import { Plus } from 'lucide-react';
import d from '../room/decisions.module.css';
import { Facts } from '../room/facts';
import { Coming, timeOf } from './coming';
import { factsOf } from './numbers';
import { RulesForm } from './rules-form';
import { TEXTS } from './texts';
import { useProposals } from './use-rules';

const NEW = 'new';

/** The rules by which CORD is earned: in force, announced, proposed; and a form for new ones at `?tab=admin&view=rules&rules=new`. */
export default function RulesView() {
  const t = useTexts(TEXTS);
  const [form, setForm] = useTabParam('rules');
  return (
    <Stack gap={16}>
      <Row as="header" gap="4px 16px" align="center" between wrap>
        <h1 className="t-h1">{t.title}</h1>
        <Button size="sm" icon={<Plus aria-hidden="true" />} onClick={() => setForm(NEW)}>
          {t.newRules}
        </Button>
      </Row>
      <p className={d.about}>{t.about}</p>
      <Loaded query={useRules()} failed={t.failed} loading={<Skeleton height={420} />}>
        {({ books }) => <Books books={books} isNew={form === NEW} onClose={() => setForm(null)} />}
      </Loaded>
    </Stack>
  );
}

interface BooksProps {
  books: readonly AnnouncedBook[];
  isNew: boolean;
  onClose: () => void;
}

function Books({ books, isNew, onClose }: BooksProps) {
  const t = useTexts(TEXTS);
  const nowMs = useServerNow();
  const proposals = useProposals();
  const inForce = bookAt(books, nowMs);
  const last = books.at(-1) ?? inForce;
  const since = inForce.fromMs === 0 ? t.sinceStart : t.since({ time: timeOf(inForce.fromMs) });
  return (
    <>
      {isNew && <RulesForm key={last.version} last={last} onClose={onClose} />}
      <Card title={t.coming}>
        <Loaded query={proposals} failed={t.proposalsFailed} loading={<Skeleton height={72} />}>
          {({ proposals: open }) => <Coming {...{ books, open, last, nowMs }} />}
        </Loaded>
      </Card>
      <Card title={t.inForce} aside={since}>
        <Facts facts={factsOf(inForce, t)} />
      </Card>
    </>
  );
}
