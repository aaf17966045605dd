import { useState } from 'react';
import { screen, userEvent, within } from 'storybook/test';
import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import { BottomBar } from './bottom-bar';
import { Header } from './header';
import { MenuSheet } from './menu-sheet';

const meta = { title: 'Shell/Header', parameters: { layout: 'fullscreen' } } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const nothing = () => undefined;

export const Wide: Story = {
  tags: ['w1440'],
  globals: { viewport: { value: 'w1440' } },
  ...storyIn(<Header onOpenMenu={nothing} />),
};

export const UserMenu: Story = {
  ...Wide,
  play: async ({ canvasElement }) => {
    const trigger = within(canvasElement).queryByTestId('user-menu');
    if (trigger === null) return;
    await userEvent.click(trigger);
    await screen.findByTestId('sign-out');
  },
};

function Small({ open }: { open: boolean }) {
  const [menuOpen, setMenuOpen] = useState(open);
  return (
    <>
      <Header onOpenMenu={() => setMenuOpen(true)} />
      <BottomBar menuOpen={menuOpen} onOpenMenu={() => setMenuOpen(true)} />
      <MenuSheet open={menuOpen} onOpenChange={setMenuOpen} />
    </>
  );
}

export const BottomBarOfPhones: Story = {
  tags: ['w390'],
  globals: { viewport: { value: 'w390' } },
  ...storyIn(<Small open={false} />),
};

export const MobileMenu: Story = {
  tags: ['w390'],
  globals: { viewport: { value: 'w390' } },
  ...storyIn(<Small open />),
};
