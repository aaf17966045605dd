import { ROOMY, useMediaQuery, useTexts } from '@cord/sdk';
import { Button, cx, Menu, remScale } from '@cord/ui';
import { MenuItem } from '@cord/ui/overlays';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import s from './section-nav.module.css';
import { SETTINGS_TEXTS } from './texts';

interface Target {
  id: string;
  name: string;
}

const idOf = (id: string) => `settings-${id}`;

/** Scroll target of a section link. */
export function Anchor({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={idOf(id)} className={s.anchor} tabIndex={-1}>
      {children}
    </div>
  );
}

/** Scrolls to a section and focuses it. */
function goTo(id: string): void {
  const section = document.getElementById(idOf(id));
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}

/** Links to the sections: a list beside them on wide screens, else a menu. */
export function SectionNav({ sections }: { sections: readonly Target[] }) {
  const t = useTexts(SETTINGS_TEXTS);
  const roomy = useMediaQuery(ROOMY);
  return (
    <nav aria-label={t.sections} className={s.nav}>
      {roomy ? <List sections={sections} /> : <Jump sections={sections} />}
    </nav>
  );
}

function List({ sections }: { sections: readonly Target[] }) {
  const current = useCurrent(sections);
  return (
    <ul className={s.list}>
      {sections.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            className={cx(s.item, id === current && s.current)}
            aria-current={id === current ? 'true' : undefined}
            onClick={() => goTo(id)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Jump({ sections }: { sections: readonly Target[] }) {
  const t = useTexts(SETTINGS_TEXTS);
  return (
    <Menu
      align="start"
      trigger={
        <Button block trailingIcon={<ChevronDown />} data-testid="settings-jump">
          {t.jump}
        </Button>
      }
    >
      {sections.map(({ id, name }) => (
        // The menu restores focus as it closes, so the section takes it later.
        <MenuItem key={id} onSelect={() => setTimeout(() => goTo(id), 50)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Returns the section being read: the first one in the upper half of the screen. */
function useCurrent(sections: readonly Target[]): string | undefined {
  const ids = sections.map(({ id }) => id).join(' ');
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) seen[isIntersecting ? 'add' : 'delete'](target.id);
        const first = ids.split(' ').find((id) => seen.has(idOf(id)));
        if (first !== undefined) setCurrent(first);
      },
      { rootMargin: `${-160 * remScale()}px 0px -50% 0px` },
    );
    for (const id of ids.split(' ')) {
      const section = document.getElementById(idOf(id));
      if (section !== null) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [ids]);
  return current;
}
