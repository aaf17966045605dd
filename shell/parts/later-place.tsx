import { type RefObject, useEffect, useRef, useState } from 'react';
import { whenQuiet } from '../app/quiet';
import { CardRoom } from './part-skeleton';
import { Place, type PlaceName } from './place';
import { hasCard, usePartsOf } from './use-part-entry';

interface LaterPlaceProps {
  name: PlaceName;
  className?: string | undefined;
  /** Distance below the screen at which it loads, as a share of the screen's height. */
  ahead?: number;
}

/**
 * A place that may lie below the first screen. Its parts, modules and data load when it comes near the screen or the
 * page is quiet, which spares a starting phone.
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

/** Reserves the space of the parts, so that nothing moves. */
function Rooms({ of }: { of: PlaceName }) {
  return usePartsOf(of)
    .filter(hasCard)
    .map(({ name, room }) => <CardRoom key={name} room={room} />);
}

function useWanted(place: RefObject<HTMLElement | null>, ahead: number): boolean {
  const [wanted, setWanted] = useState(false);
  // In an effect: a page of the shell enters the document with the commit, after its children.
  useEffect(() => {
    const element = place.current;
    if (wanted || element === null) return;
    const want = () => setWanted(true);
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
