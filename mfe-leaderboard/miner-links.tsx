import type { TabView } from '@cord/sdk';
import { cx } from '@cord/ui';
import { createContext, type MouseEvent, useContext } from 'react';
import s from './miner-links.module.css';

type Links = Pick<TabView, 'open' | 'hrefOf'>;

/** Where names lead to; without it (a podium by itself) they are text. */
const MinerLinks = createContext<Links | null>(null);
export const MinerLinksProvider = MinerLinks.Provider;

interface MinerNameProps {
  name: string;
  userId: string;
  className?: string | undefined;
}

/** A miner's name. Within rankings it opens the public page; the link is as large as the nearest `linkArea`. */
export function MinerName({ name, userId, className }: MinerNameProps) {
  const links = useContext(MinerLinks);
  if (links === null) {
    return (
      <span className={className} title={name}>
        {name}
      </span>
    );
  }
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    links.open(userId);
  };
  return (
    <a href={links.hrefOf(userId)} className={cx(className, s.link)} title={name} data-miner={userId} onClick={follow}>
      {name}
    </a>
  );
}

/** On the element that is to be the link's area: a row, a step of the podium. */
export const linkArea = s.area;
