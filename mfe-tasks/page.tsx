export { TasksPage as Page } from './tasks-page';
