export { RankingsPage as Page } from './rankings-page';
