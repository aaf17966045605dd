import { AreaBoundary, useSdk, useUserId } from '@cord/sdk';
import { useEffect, useState } from 'react';
import { knowPushOwner } from '../app/lazy-files';
import { whenQuiet } from '../app/quiet';
import { Bell } from '../notices/bell';
import s from './header.module.css';

/** The bell; its unread count loads once the page is quiet. */
export function BellPlace() {
  const [quiet, setQuiet] = useState(false);
  const sdk = useSdk();
  const userId = useUserId();
  useEffect(
    () =>
      whenQuiet(() => {
        setQuiet(true);
        knowPushOwner(sdk, userId);
      }),
    [sdk, userId],
  );
  return (
    <div className={s.bell}>
      <AreaBoundary place={{ part: 'notices' }}>
        <Bell quiet={quiet} />
      </AreaBoundary>
    </div>
  );
}
