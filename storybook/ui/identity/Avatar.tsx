import { useState } from 'react';
import { cx } from '../classNames';
import s from './Avatar.module.css';

export interface AvatarProps {
  /** The name its initials and colours come from. */
  name: string;
  /** Address of a picture; initials stand in until it has loaded and when it fails. */
  src?: string | null | undefined;
  /** px; 32 in bars, 36 in lists, 44 in sheets, 56 and more in profiles. */
  size?: number | undefined;
  className?: string | undefined;
}

/** Number of palettes of 7.2:1 and more in Avatar.module.css. */
const PALETTES = 6;

/** A picture or two letters. Decoration: the name stands beside it. */
export function Avatar({ name, src, size = 36, className }: AvatarProps) {
  return (
    <span
      className={cx(s.avatar, s[`p${paletteOf(name)}`], className)}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.4) }}
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

/** The first letters of a name's first two words; of one word, its first letter. Marks on letters are left out. */
export function initials(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const [first, second] = words;
  if (first === undefined) return '?';
  const letters = second === undefined ? [...first][0] : `${[...first][0]}${[...second][0]}`;
  return (letters ?? '?').toUpperCase();
}

/** The same name always gets the same colours. */
export function paletteOf(name: string): number {
  let hash = 7;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash % PALETTES;
}
