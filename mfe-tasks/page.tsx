import { lifecycles } from '@cord/sdk';
import { TasksPage } from './tasks-page';

export const { bootstrap, prepare, mount, unmount } = lifecycles(TasksPage);
