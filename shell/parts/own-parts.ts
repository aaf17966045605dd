import type { PartProps } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import type { ComponentType } from 'react';
import { APPEAL, PAUSE_WARNING } from '../app/lazy-files';

interface OwnPart {
  load: () => Promise<ComponentType<PartProps>>;
  /** Placeholder shape; null for a part in a line with others. */
  room: 'switch' | null;
}

/** Parts of the shell for modules' pages, from its own build. */
export const OWN_PARTS: Partial<Record<PartName, OwnPart>> = {
  'shell/pause-warning': { load: PAUSE_WARNING.load, room: 'switch' },
  'shell/appeal': { load: APPEAL.load, room: null },
};
