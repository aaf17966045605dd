import { Card } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './settings.module.css';

/** A heading with a line of text, and its card beside or below. */
export function Section({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={s.section}>
      <div>
        <h2 className="t-h2">{title}</h2>
        <p className="t-note">{text}</p>
      </div>
      <Card className={s.card}>{children}</Card>
    </section>
  );
}
