export { Room as Page } from './room/room';
