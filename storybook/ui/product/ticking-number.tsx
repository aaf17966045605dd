import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from '../feedback/visually-hidden';
import { UNKNOWN } from '../format';

export interface TickingNumberProps {
  /** What is shown, renewed as often as the caller likes. */
  text: string;
  /** What a screen reader finds instead, renewed once a minute; without it the digits are read. */
  readerText?: string | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
  testId?: string | undefined;
  dataValue?: string | number | undefined;
}

const ANNOUNCE_EVERY_MS = 60_000;

/** A number that changes every second: digits hidden from screen readers, beside them a text without live region. */
export function TickingNumber({ text, readerText, className, style, testId, dataValue }: TickingNumberProps) {
  const calm = useCalm(readerText, text !== UNKNOWN);
  return (
    <span className={className} style={style}>
      <span
        data-number
        aria-hidden={readerText === undefined ? undefined : true}
        data-testid={testId}
        data-value={dataValue}
      >
        {text}
      </span>
      {calm !== undefined && <VisuallyHidden>{calm}</VisuallyHidden>}
    </span>
  );
}

/** The text as it was at the last full minute, so that a reader is never interrupted; at once where the number becomes known, or unknown. */
function useCalm(text: string | undefined, isKnown: boolean): string | undefined {
  const latest = useRef(text);
  const [calm, setCalm] = useState(text);
  const [wasKnown, setWasKnown] = useState(isKnown);
  if (wasKnown !== isKnown) {
    setWasKnown(isKnown);
    setCalm(text);
  }
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(() => setCalm(latest.current), ANNOUNCE_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return text === undefined ? undefined : (calm ?? text);
}
