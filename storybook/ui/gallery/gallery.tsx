import type { ReactNode } from 'react';
import { Row, Stack } from '../surfaces/layout';

/** For stories only: states of a component in a column. */
export function Gallery({ children }: { children: ReactNode }) {
  return <Stack gap={20}>{children}</Stack>;
}

/** For stories only: one labelled row of states. */
export function GalleryRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack gap={8}>
      <span className="t-label">{label}</span>
      <Row gap={12} align="center" wrap>
        {children}
      </Row>
    </Stack>
  );
}
