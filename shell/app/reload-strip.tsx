import { Button, uiText } from '@cord/ui';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Strip } from './strip';

interface ReloadStripProps {
  icon: ReactNode;
  testId: string;
  tone?: 'news';
  /** What may be done instead. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A strip that shows why the page should be loaded anew, and does it when it is pressed. */
export function ReloadStrip({ beside, children, ...strip }: ReloadStripProps) {
  return (
    <Strip
      {...strip}
      action={
        <>
          <Button
            size="sm"
            variant={strip.tone && 'primary'}
            icon={!strip.tone && <RotateCw />}
            needsServer
            onClick={() => location.reload()}
          >
            {uiText('reload')}
          </Button>
          {beside}
        </>
      }
    >
      {children}
    </Strip>
  );
}
