import s from './key.module.css';

/** A keyboard key. */
export function Key({ children }: { children: string }) {
  return <kbd className={s.key}>{children}</kbd>;
}

/** The shortcut of a button, shown on devices with a keyboard; the button announces it by `aria-keyshortcuts`. */
export function ButtonKey({ of }: { of: string }) {
  return (
    <span className={s.ofButton} aria-hidden="true">
      <Key>{of.toUpperCase()}</Key>
    </span>
  );
}
