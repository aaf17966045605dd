import { lifecycles } from '@cord/sdk';
import { ReferralsPage } from './referrals-page';

export const { bootstrap, prepare, mount, unmount } = lifecycles(ReferralsPage);
