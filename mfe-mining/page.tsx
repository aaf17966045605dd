export { MiningPage as Page } from './mining-page';
