import { type RefObject, useEffect, useRef, useState } from 'react';
import { whenQuiet } from '../app/quiet';
import { CardRoom } from './part-skeleton';
import { Place, type PlaceName } from './place';
import { hasCard, usePartsOf } from './use-part-entry';

interface LaterPlaceProps {
  name: PlaceName;
  className?: string | undefined;
  /** How far below the screen it begins to come, as a part of the screen's height. */
  ahead?: number;
}

/**
 * A place that may lie below what a screen shows first. Its parts, their modules and what these request come when it is about to be seen,
 * or once the page is quiet: a phone that begins has enough to do with what is on its screen.
 */
export function LaterPlace({ name, className, ahead = 0.5 }: LaterPlaceProps) {
  const place = useRef<HTMLDivElement>(null);
  const wanted = useWanted(place, ahead);
  return (
    <div ref={place} className={className}>
      {wanted ? <Place name={name} /> : <Rooms of={name} />}
    </div>
  );
}

/** Room for what comes, so that nothing moves. */
function Rooms({ of }: { of: PlaceName }) {
  return usePartsOf(of)
    .filter(hasCard)
    .map(({ name, room }) => <CardRoom key={name} room={room} />);
}

function useWanted(place: RefObject<HTMLElement | null>, ahead: number): boolean {
  const [wanted, setWanted] = useState(false);
  // Not sooner: a page of the shell's comes into the document with the commit, after what stands in it.
  useEffect(() => {
    const element = place.current;
    if (wanted || element === null) return;
    const want = () => setWanted(true);
    if (element.getBoundingClientRect().top < innerHeight * (1 + ahead)) {
      want();
      return;
    }
    const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && want(), {
      rootMargin: `${ahead * 100}%`,
    });
    observer.observe(element);
    const stop = whenQuiet(want);
    return () => {
      observer.disconnect();
      stop();
    };
  }, [wanted, place, ahead]);
  return wanted;
}
