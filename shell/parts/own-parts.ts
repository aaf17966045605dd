import type { PartProps } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import type { ComponentType } from 'react';
import { APPEAL, PAUSE_WARNING } from '../app/lazy-files';

interface OwnPart {
  load: () => Promise<ComponentType<PartProps>>;
  /** The shape of what comes; null for what stands in a line with others. */
  room: 'switch' | null;
}

/** What the shell itself lends to pages of modules, in its own build: what belongs beside what it is about. */
export const OWN_PARTS: Partial<Record<PartName, OwnPart>> = {
  'shell/pause-warning': { load: PAUSE_WARNING.load, room: 'switch' },
  'shell/appeal': { load: APPEAL.load, room: null },
};
