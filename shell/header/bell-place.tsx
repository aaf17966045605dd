import { QuietArea } from '../app/area';
import { LaterBundle } from '../app/later-bundle';
import { BELL } from '../app/later-files';
import s from './header.module.css';

/** Room for the bell, which comes once the page is quiet. */
export function BellPlace() {
  return (
    <div className={s.bell}>
      <QuietArea part="notices">
        <LaterBundle load={BELL} part="notices" whenFailed={() => null} />
      </QuietArea>
    </div>
  );
}
