import { lifecycles } from '@cord/sdk';
import { MiningPage } from './mining-page';

export const { bootstrap, mount, unmount } = lifecycles(MiningPage);
