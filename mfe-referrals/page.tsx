import { lifecycles } from '@cord/sdk';
import { ReferralsPage } from './referrals-page';

export const { bootstrap, mount, hide, unmount } = lifecycles(ReferralsPage);
