export { ReferralsPage as Page } from './referrals-page';
