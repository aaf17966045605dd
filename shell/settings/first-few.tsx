import { useTexts } from '@cord/sdk';
import { LinkButton, Row } from '@cord/ui';
import { type ReactNode, useState } from 'react';
import { SETTINGS_TEXTS } from './texts';

/** Number of rows shown at first; most users have no more devices. */
const FEW = 3;

/** Returns the first rows of a list, and a button for all when there are more. */
export function useFirstFew<T>(all: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const t = useTexts(SETTINGS_TEXTS);
  const [whole, setWhole] = useState(false);
  if (whole || all.length <= FEW) return { shown: all, more: null };
  const more = (
    <Row>
      <LinkButton onClick={() => setWhole(true)}>{t.showAll({ count: all.length })}</LinkButton>
    </Row>
  );
  return { shown: all.slice(0, FEW), more };
}
