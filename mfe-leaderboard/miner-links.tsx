import type { TabView } from '@cord/sdk';
import { cx } from '@cord/ui';
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import s from './miner-links.module.css';

/** `MouseEvent.button` of the wheel. */
const MIDDLE = 1;

type Links = Pick<TabView, 'open' | 'hrefOf'>;

/** Links of names; without a provider (a podium alone) names are text. */
const MinerLinks = createContext<Links | null>(null);

/**
 * Links the names within to their miners' pages. One listener handles clicks anywhere in a row; a link stretched over
 * each row would cost layout and paint.
 */
export function MinerLinksProvider({ value: links, children }: { value: Links; children: ReactNode }) {
  const follow = (event: MouseEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.shiftKey) return;
    const target = event.target as Element;
    const onName = target.closest('[data-miner]');
    const userId = (onName ?? target.closest('tr,li')?.querySelector('[data-miner]'))?.getAttribute('data-miner');
    // The user is selecting text of the row.
    if (userId == null || (onName === null && getSelection()?.isCollapsed === false)) return;
    const aside = event.metaKey || event.ctrlKey || event.button === MIDDLE;
    // The browser handles such a click on the name itself.
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

/** The search term, which names highlight. */
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
  /** Text for screen readers, including the name, when it represents its row. */
  readerText?: string;
}

/** A miner's name. Within rankings a click on it or its row opens the public page. */
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

/** Class of a name's row, a `tr` or `li`: a click anywhere in it counts as one on the name. */
export const linkArea = s.area;
