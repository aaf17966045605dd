import { lifecycles } from '@cord/sdk';
import { RankingsPage } from './rankings-page';

export const { bootstrap, prepare, mount, unmount } = lifecycles(RankingsPage);
