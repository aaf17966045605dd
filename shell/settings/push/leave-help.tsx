import { useTexts } from '@cord/sdk';
import { Row } from '@cord/ui';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { PUSH_TEXTS } from './texts';
import type { Browser } from './this-browser';

/** Explains why this browser cannot receive pushes; else renders its children. */
export function LeaveHelp({ here, children }: { here: Browser; children: ReactNode }) {
  const t = useTexts(PUSH_TEXTS);
  if (here.permission === 'none') return t.unable;
  if (here.permission !== 'denied') return children;
  return (
    <Row as="span" gap={8} className="t-icon c-warn">
      <TriangleAlert size={16} />
      {t.blocked}
    </Row>
  );
}
