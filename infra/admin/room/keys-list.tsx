import { useTexts } from '@cord/sdk';
import { Dialog, Switch } from '@cord/ui';
import s from './keys-list.module.css';
import { TEXTS } from './texts';
import { useKeysOn } from './use-keys';
import { FIRST_KEY, VIEW_IDS, VIEWS } from './views';

const FIRST = FIRST_KEY.toUpperCase();

/** A key as it looks on a keyboard. */
export function Key({ children }: { children: string }) {
  return <kbd className={s.key}>{children}</kbd>;
}

interface KeysListProps {
  shown: boolean;
  onShow: (shown: boolean) => void;
}

/** The keys of this room: the most used ones under the views, all of them in a dialog. */
export function KeysList({ shown, onShow }: KeysListProps) {
  const t = useTexts(TEXTS);
  const [on, setOn] = useKeysOn();
  const views = VIEW_IDS.map((id) => ({ name: t[`view.${id}`], key: VIEWS[id].key.toUpperCase() }));
  const all = [
    ...views.map(({ name, key }) => ({ what: t.keyGoTo({ view: name }), keys: [FIRST, key] })),
    { what: t.keyTable, keys: ['T'] },
    { what: t.keySearch, keys: ['/'] },
    { what: t.keyNext, keys: ['J', 'K'] },
    { what: t.keyTake, keys: ['E'] },
    { what: t.allKeys, keys: ['?'] },
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
          <dt>
            <button type="button" className={s.all} onClick={() => onShow(true)}>
              {t.allKeys}
            </button>
          </dt>
          <dd>
            <Key>?</Key>
          </dd>
        </div>
      </dl>
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
    </>
  );
}
