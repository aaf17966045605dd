import { useTexts } from '@cord/sdk';
import { Switch, useOverlays } from '@cord/ui';
import { Key } from './key';
import { FIRST_KEY, KEYS } from './keys';
import s from './keys-list.module.css';
import { TEXTS } from './texts';
import { useKeysOn } from './use-keys';
import { VIEW_IDS, VIEWS } from './views';

const FIRST = FIRST_KEY.toUpperCase();

/** What is written on a key. */
const capOf = (key: keyof typeof KEYS) => (key === 'close' ? 'Esc' : KEYS[key].toUpperCase());

interface KeysListProps {
  shown: boolean;
  onShow: (shown: boolean) => void;
}

/** The keys of this room: the most used ones under the views, all of them in a dialog. */
export function KeysList({ shown, onShow }: KeysListProps) {
  const t = useTexts(TEXTS);
  const [on, setOn] = useKeysOn();
  const Dialog = useOverlays(shown, () => onShow(false))?.Dialog;
  const views = VIEW_IDS.map((id) => ({ name: t[`view.${id}`], key: VIEWS[id].key.toUpperCase() }));
  const all = [
    ...views.map(({ name, key }) => ({ what: t.keyGoTo({ view: name }), keys: [FIRST, key] })),
    { what: t.keySearch, keys: [capOf('search')] },
    { what: t.keyNext, keys: [capOf('next'), capOf('previous')] },
    { what: t.keyTake, keys: [capOf('take')] },
    { what: t.keyAnswer, keys: [capOf('answer')] },
    { what: t.keyClear, keys: [capOf('clear')] },
    { what: t.keyMark, keys: [capOf('mark')] },
    { what: t.keyTable, keys: [capOf('table')] },
    { what: t.keyClose, keys: [capOf('close')] },
    { what: t.allKeys, keys: [capOf('all')] },
  ];
  return (
    <>
      <dl className={s.short}>
        <div>
          <dt>{t.goTo}</dt>
          <dd>
            <Key>{FIRST}</Key> {t.andThen}{' '}
            {views.slice(0, 3).map(({ key }) => (
              <Key key={key}>{key}</Key>
            ))}
          </dd>
        </div>
        <div>
          <dt>{t.keySearch}</dt>
          <dd>
            <Key>{capOf('search')}</Key>
          </dd>
        </div>
        <div>
          <dt>{t.keyNext}</dt>
          <dd>
            <Key>{capOf('next')}</Key>
            <Key>{capOf('previous')}</Key>
          </dd>
        </div>
        <div>
          <dt>
            <button type="button" className={s.all} onClick={() => onShow(true)}>
              {t.allKeys}
            </button>
          </dt>
          <dd>
            <Key>{capOf('all')}</Key>
          </dd>
        </div>
      </dl>
      {Dialog && (
        <Dialog open={shown} onOpenChange={onShow} title={t.keysTitle} description={t.keysText}>
          <dl className={s.list}>
            {all.map(({ what, keys }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {keys.map((key) => (
                    <Key key={key}>{key}</Key>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <Switch checked={on} onChange={setOn} label={t.keysOn} help={t.keysHelp} />
        </Dialog>
      )}
    </>
  );
}
