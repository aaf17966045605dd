import { avatarColours, initials } from '@cord/contracts/drawing/avatar';
import { useState } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import s from './avatar.module.css';

export interface AvatarProps {
  /** The name, from which initials and colours are derived. */
  name: string;
  /** URL of a picture; initials are shown until it has loaded and if it fails. */
  src?: string | null | undefined;
  /** px; 32 in bars, 36 in lists, 44 in sheets, 56 and more in profiles. */
  size?: number | undefined;
  className?: string | undefined;
}

/** A picture or two initials. Decorative: the name is shown beside it. */
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
      {/* Rendered by CSS: the initials are a picture, so they must not be read, found or compared with a label as text. */}
      <span className={s.letters} data-letters={initials(name)} />
    </span>
  );
}

/** Replaces the initials once the picture has loaded completely. */
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
