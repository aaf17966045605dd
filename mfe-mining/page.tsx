import { lifecycles } from '@cord/sdk';
import { MiningPage } from './mining-page';

export const { bootstrap, mount, hide, unmount } = lifecycles(MiningPage);
