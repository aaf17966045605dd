import { lifecycles } from '@cord/sdk';
import { RankingsPage } from './rankings-page';

export const { bootstrap, mount, unmount } = lifecycles(RankingsPage);
