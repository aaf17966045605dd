import { lifecycles } from '@cord/sdk';
import { MiningPage } from './mining-page';

export const { bootstrap, prepare, mount, unmount } = lifecycles(MiningPage);
