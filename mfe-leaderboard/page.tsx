import { lifecycles } from '@cord/sdk';
import { RankingsPage } from './rankings-page';

export const { bootstrap, mount, hide, unmount } = lifecycles(RankingsPage);
