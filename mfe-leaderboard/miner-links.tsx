import type { TabView } from '@cord/sdk';
import { cx } from '@cord/ui';
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import s from './miner-links.module.css';

/** `MouseEvent.button` of the wheel. */
const MIDDLE = 1;

type Links = Pick<TabView, 'open' | 'hrefOf'>;

/** Where names lead to; without it (a podium by itself) they are text. */
const MinerLinks = createContext<Links | null>(null);

/**
 * Names within lead to their miners' pages. A click anywhere in the name's row is followed: by one listener for all of them, for
 * a link stretched over each row would be laid out and painted with it.
 */
export function MinerLinksProvider({ value: links, children }: { value: Links; children: ReactNode }) {
  const follow = (event: MouseEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.shiftKey) return;
    const target = event.target as Element;
    const onName = target.closest('[data-miner]');
    const userId = (onName ?? target.closest('tr,li')?.querySelector('[data-miner]'))?.getAttribute('data-miner');
    // Who marks text of a row does not want to leave it.
    if (userId == null || (onName === null && getSelection()?.isCollapsed === false)) return;
    const aside = event.metaKey || event.ctrlKey || event.button === MIDDLE;
    // Such a click on the name itself is the browser's own.
    if (aside && onName !== null) return;
    event.preventDefault();
    if (aside) window.open(links.hrefOf(userId), '_blank', 'noopener');
    else links.open(userId);
  };
  return (
    <MinerLinks value={links}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: by keyboard the names themselves are links */}
      <div className={s.links} onClick={follow} onAuxClick={(event) => event.button === MIDDLE && follow(event)}>
        {children}
      </div>
    </MinerLinks>
  );
}

/** What is searched for: names within show where they have it. */
export const SearchedName = createContext('');

function WithHit({ name }: { name: string }) {
  const term = useContext(SearchedName).toLowerCase();
  const lower = name.toLowerCase();
  const at = term === '' || lower.length !== name.length ? -1 : lower.indexOf(term);
  if (at < 0) return name;
  const end = at + term.length;
  return (
    <>
      {name.slice(0, at)}
      <mark className={s.hit}>{name.slice(at, end)}</mark>
      {name.slice(end)}
    </>
  );
}

interface MinerNameProps {
  name: string;
  userId: string;
  className?: string | undefined;
  /** What a screen reader reads instead, the name in it: where it stands for its row. */
  readerText?: string;
}

/** A miner's name. Within rankings it opens the public page; so does a click on its row. */
export function MinerName({ name, userId, className, readerText }: MinerNameProps) {
  const links = useContext(MinerLinks);
  if (links === null) {
    return (
      <span className={className} title={name}>
        <WithHit name={name} />
      </span>
    );
  }
  return (
    <a
      href={links.hrefOf(userId)}
      className={cx(className, s.link)}
      title={name}
      aria-label={readerText}
      data-miner={userId}
    >
      <WithHit name={name} />
    </a>
  );
}

/** How the row of a name looks, a `tr` or `li`: a click anywhere in it is one on the name. */
export const linkArea = s.area;
