export { MiningPage as Page } from './node/mining-page';
