import { avatarColours, initials } from '@cord/contracts/drawing/avatar';
import { useState } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import s from './avatar.module.css';

export interface AvatarProps {
  /** The name its initials and colours come from. */
  name: string;
  /** Address of a picture; initials stand in until it has loaded and when it fails. */
  src?: string | null | undefined;
  /** px; 32 in bars, 36 in lists, 44 in sheets, 56 and more in profiles. */
  size?: number | undefined;
  className?: string | undefined;
}

/** A picture or two letters. Decoration: the name stands beside it. */
export function Avatar({ name, src, size = 36, className }: AvatarProps) {
  const { fill, ink } = avatarColours(name);
  const side = rem(size);
  return (
    <span
      className={cx(s.avatar, className)}
      style={{ width: side, height: side, fontSize: rem(Math.round(size * 0.4)), background: fill, color: ink }}
      aria-hidden="true"
    >
      {src && <Picture key={src} src={src} />}
      {/* Drawn by CSS: letters of a picture are no text, so they are not read, found or compared with a label. */}
      <span className={s.letters} data-letters={initials(name)} />
    </span>
  );
}

/** Takes the letters' place once all of it is here: half of a picture over letters is neither. */
function Picture({ src }: { src: string }) {
  const [loaded, setLoaded] = useState(false);
  return (
    <img
      className={cx(s.image, loaded && s.loaded)}
      referrerPolicy="no-referrer"
      src={src}
      alt=""
      onLoad={() => setLoaded(true)}
    />
  );
}
