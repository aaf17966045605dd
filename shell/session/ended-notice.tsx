import { useTexts } from '@cord/sdk';
import { Notice } from '@cord/ui';
import { LogOut } from 'lucide-react';
import type { Ended } from '../app/create-shell';
import { ENDED_TEXTS } from './ended-texts';

interface EndedNoticeProps {
  end: Ended;
  look?: 'inline';
  testId?: string;
}

/** Shows how the session ended on this page. */
export function EndedNotice({ end, ...place }: EndedNoticeProps) {
  const t = useTexts(ENDED_TEXTS);
  if (typeof end === 'string') {
    const title = end === 'erased' ? t.erased : t['signed-out'];
    return <Notice {...place} tone="sky" icon={<LogOut />} title={title} announce />;
  }
  return (
    <Notice {...place} tone="warn" icon={<LogOut />} title={t.signedOutHere} announce>
      {t.signedOutHereText({ reason: end.unconfirmed })}
    </Notice>
  );
}
