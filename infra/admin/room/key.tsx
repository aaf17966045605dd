import s from './key.module.css';

/** A key as it looks on a keyboard. */
export function Key({ children }: { children: string }) {
  return <kbd className={s.key}>{children}</kbd>;
}

/** The key of a button, shown where there is a keyboard; announced by its `aria-keyshortcuts`. */
export function ButtonKey({ of }: { of: string }) {
  return (
    <span className={s.ofButton} aria-hidden="true">
      <Key>{of.toUpperCase()}</Key>
    </span>
  );
}
