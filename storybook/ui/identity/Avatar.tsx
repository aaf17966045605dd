import { Avatar as RadixAvatar } from 'radix-ui';
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
    <RadixAvatar.Root
      className={cx(s.avatar, s[`p${paletteOf(name)}`], className)}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.4) }}
      aria-hidden="true"
    >
      {src && <RadixAvatar.Image className={s.image} src={src} alt="" referrerPolicy="no-referrer" />}
      {/* Drawn by CSS: letters of a picture are no text, so they are not read, found or compared with a label. */}
      <RadixAvatar.Fallback className={s.letters} data-letters={initials(name)} />
    </RadixAvatar.Root>
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
