import { within } from 'storybook/test';
import { Room } from './room';

/** What the stories of all views have: the room, which is there before the view that is looked at. */
export const IN_ROOM = {
  component: Room,
  play: async ({ canvasElement }: { canvasElement: HTMLElement }) => {
    await within(canvasElement).findByRole('heading', { level: 1 });
  },
};
