import { lifecycles } from '@cord/sdk';
import { TasksPage } from './tasks-page';

export const { bootstrap, mount, hide, unmount } = lifecycles(TasksPage);
