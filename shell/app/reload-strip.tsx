import { useTexts } from '@cord/sdk';
import { Button } from '@cord/ui';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { TAB_TEXTS } from '../tabs/texts';
import s from './reload-strip.module.css';

interface ReloadStripProps {
  icon: ReactNode;
  testId: string;
  children: ReactNode;
}

/** A strip under the header that says why the page should be loaded anew, and does it when it is told to. */
export function ReloadStrip({ icon, testId, children }: ReloadStripProps) {
  const { reload } = useTexts(TAB_TEXTS);
  return (
    <div className={s.strip} data-testid={testId}>
      <div className={s.words}>
        {icon}
        <span>{children}</span>
        <Button size="sm" icon={<RotateCw aria-hidden="true" />} needsServer onClick={() => location.reload()}>
          {reload}
        </Button>
      </div>
    </div>
  );
}
