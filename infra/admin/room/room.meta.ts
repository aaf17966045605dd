import { within } from 'storybook/test';
import { Room } from './room';

/** Common parameters of the stories of all views: the room is loaded before the view. */
export const IN_ROOM = {
  component: Room,
  play: async ({ canvasElement }: { canvasElement: HTMLElement }) => {
    await within(canvasElement).findByRole('heading', { level: 1 });
  },
};
