import { Card } from '@cord/ui';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { whenQuiet } from '../app/quiet';
import { usePublished } from '../federation/registry-context';
import s from './part-skeleton.module.css';
import { Place, type PlaceName } from './place';
import { hasCard } from './use-part-entry';

/** How far below the screen a place begins to come, as a part of the screen's height. */
const AHEAD = 0.5;

/**
 * A place that may lie below what a screen shows first. Its parts, their modules and what these ask for come when it is about to be seen,
 * or once the page is quiet: a phone that begins has enough to do with what is on its screen.
 */
export function LaterPlace({ name, className }: { name: PlaceName; className: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const wanted = useWanted(place);
  return (
    <div ref={place} className={className}>
      {wanted ? <Place name={name} /> : <Rooms of={name} />}
    </div>
  );
}

/** Room for what comes, so that nothing moves. */
function Rooms({ of }: { of: PlaceName }) {
  const { parts } = usePublished();
  return parts
    .filter((part) => part.place === of && hasCard(part))
    .map(({ name }) => (
      <Card key={name}>
        <div className={s.room} />
      </Card>
    ));
}

function useWanted(place: RefObject<HTMLElement | null>): boolean {
  const [wanted, setWanted] = useState(false);
  // Not sooner: a page of the shell's comes into the document with the commit, after what stands in it.
  useEffect(() => {
    const element = place.current;
    if (wanted || element === null) return;
    const want = () => setWanted(true);
    if (element.getBoundingClientRect().top < innerHeight * (1 + AHEAD)) {
      want();
      return;
    }
    const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && want(), {
      rootMargin: `${AHEAD * 100}%`,
    });
    observer.observe(element);
    const stop = whenQuiet(want);
    return () => {
      observer.disconnect();
      stop();
    };
  }, [wanted, place]);
  return wanted;
}
