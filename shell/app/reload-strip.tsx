import { Button, uiText } from '@cord/ui';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Strip } from './strip';

interface ReloadStripProps {
  icon: ReactNode;
  testId: string;
  tone?: 'news';
  /** Alternative action. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A strip that explains why to reload the page, with a reload button. */
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
