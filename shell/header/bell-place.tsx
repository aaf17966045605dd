import { useEffect, useState } from 'react';
import { QuietArea } from '../app/area';
import { whenQuiet } from '../app/quiet';
import { Bell } from '../notices/bell';
import s from './header.module.css';

/** Room for the bell: what is unread can wait until the page is quiet. */
export function BellPlace() {
  const [quiet, setQuiet] = useState(false);
  useEffect(() => whenQuiet(() => setQuiet(true)), []);
  return (
    <div className={s.bell}>
      <QuietArea part="notices">{quiet && <Bell />}</QuietArea>
    </div>
  );
}
