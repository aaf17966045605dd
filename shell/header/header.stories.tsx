import { useState } from 'react';
import { screen, userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../testing/story-shell';
import { BottomBar } from './bottom-bar';
import { Header } from './header';
import { MenuSheet } from './menu-sheet';

export default { title: 'Shell/Header', parameters: { layout: 'fullscreen' } };

const nothing = () => undefined;

export const Wide: StoryObj = {
  tags: ['w1440'],
  globals: { viewport: { value: 'w1440' } },
  ...storyIn(<Header onOpenMenu={nothing} />),
};

export const UserMenu: StoryObj = {
  ...Wide,
  play: async ({ canvas }) => {
    const trigger = canvas.queryByTestId('user-menu');
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

export const BottomBarOfPhones: StoryObj = {
  tags: ['w390'],
  globals: { viewport: { value: 'w390' } },
  ...storyIn(<Small open={false} />),
};

export const MobileMenu: StoryObj = {
  tags: ['w390'],
  globals: { viewport: { value: 'w390' } },
  ...storyIn(<Small open />),
};
