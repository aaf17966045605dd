import { lifecycles } from '@cord/sdk';
import { Room } from './room/room';

export const { bootstrap, mount, hide, unmount } = lifecycles(Room);
