import type { ReactNode } from 'react';
import s from './gallery.module.css';

/** For stories only: states of a component one under the other. */
export function Gallery({ children }: { children: ReactNode }) {
  return <div className={s.gallery}>{children}</div>;
}

/** For stories only: one labelled row of states. */
export function GalleryRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={s.row}>
      <span className={s.label}>{label}</span>
      <div className={s.items}>{children}</div>
    </div>
  );
}
