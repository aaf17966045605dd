import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { ChipGroup } from './chip';

export default { title: 'Actions/ChipGroup' };

const options = [
  { value: 'all', label: 'All', count: 9 },
  { value: 'daily', label: 'Daily', count: 2 },
  { value: 'weekly', label: 'Weekly', count: 1 },
  { value: 'social', label: 'Social', count: 3 },
  { value: 'achievement', label: 'Achievement', count: 3 },
];

function Chosen() {
  const [value, setValue] = useState('all');
  return <ChipGroup label="Task category" value={value} options={options} onChange={setValue} />;
}

export const Categories: StoryObj = {
  render: () => <Chosen />,
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('radio', { name: /Weekly/ }));
    await expect(canvas.getByRole('radio', { name: /Weekly/ })).toBeChecked();
    await expect(canvas.getByRole('radio', { name: /All/ })).not.toBeChecked();
    // One always stays selected, and arrows move through the group.
    await userEvent.click(canvas.getByRole('radio', { name: /Weekly/ }));
    await expect(canvas.getByRole('radio', { name: /Weekly/ })).toBeChecked();
    await userEvent.keyboard('{ArrowRight}');
    await expect(canvas.getByRole('radio', { name: /Social/ })).toHaveFocus();
  },
};
export const ScrollsAt320: StoryObj = { render: () => <Chosen />, tags: ['w320'] };
