import { Gauge, LayoutDashboard, LogOut, Orbit, SunMoon, User, Users } from 'lucide-react';
import { useState } from 'react';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Button } from '../actions/button';
import { Gallery, GalleryRow } from '../gallery/gallery';
import { Avatar } from '../identity/avatar';
import { LedgerRows } from '../product/ledger-rows';
import { RateTable } from '../product/rate-table';
import { NodeBadge } from '../surfaces/badge';
import { Cell, Cells } from '../surfaces/cells';
import { Menu } from '../triggers/menu';
import { toasts } from '../triggers/toast';
import { Toaster } from '../triggers/toaster';
import { WhyNumber } from '../triggers/why-number';
import { WhyPopover } from '../triggers/why-popover';
import { MenuItem, MenuRule } from './menu-content';
import { Sheet, SheetItem, SheetRule } from './sheet';

export default { title: 'Overlays/Others' };

function UserMenu() {
  const [theme, setTheme] = useState('Dark');
  return (
    <Menu
      align="start"
      trigger={<Button>Mara Okafor</Button>}
      head={
        <GalleryRow label="mara.okafor · #37">
          <Avatar name="Mara Okafor" size={40} />
        </GalleryRow>
      }
    >
      <MenuItem icon={<User />} onSelect={() => undefined}>
        Profile and settings
      </MenuItem>
      <MenuItem icon={<Users />} onSelect={() => undefined}>
        Invite friends
      </MenuItem>
      <MenuItem
        icon={<SunMoon />}
        aside={theme}
        keepOpen
        onSelect={() => setTheme((before) => (before === 'Dark' ? 'Light' : 'Dark'))}
      >
        Theme
      </MenuItem>
      <MenuItem icon={<Orbit />} aside="On" keepOpen onSelect={() => undefined}>
        Live motion
      </MenuItem>
      <MenuRule />
      <MenuItem icon={<LogOut />} onSelect={() => undefined}>
        Sign Out
      </MenuItem>
    </Menu>
  );
}

export const MenuByKeyboard: StoryObj = {
  render: () => <UserMenu />,
  play: async ({ canvas }) => {
    const trigger = canvas.getByRole('button', { name: 'Mara Okafor' });
    trigger.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Profile and settings' })).toHaveFocus());
    const theme = screen.getByRole('menuitem', { name: /Theme/ });
    await userEvent.click(theme);
    // It changes in place and the menu stays.
    await expect(theme).toHaveTextContent('Light');
  },
};

export const MobileMenu: StoryObj = {
  tags: ['w390'],
  render: () => (
    <Sheet open onOpenChange={() => undefined} title="Menu" head={<strong>Mara Okafor</strong>}>
      <SheetItem icon={<LayoutDashboard />} current>
        Dashboard
      </SheetItem>
      <SheetItem icon={<Gauge />} aside={<NodeBadge state="online" />}>
        Mining
      </SheetItem>
      <SheetRule />
      <SheetItem icon={<SunMoon />} aside="Dark">
        Theme
      </SheetItem>
    </Sheet>
  ),
};

const rate = (
  <RateTable
    rows={[
      { key: 'base', label: 'Base rate', factor: 1, adds: 0.5, active: true },
      { key: 'age', label: 'Account age, 5.4 years', factor: 3.5, adds: 1.25, active: true },
      { key: 'epoch', label: 'Epoch Beta', factor: 1.1, adds: 0.175, active: true },
      { key: 'badge', label: 'Badge of Honor, not owned', factor: 1, adds: 0, active: false },
      { key: 'antiCheat', label: 'Network check: Clean', factor: 1, adds: 0, active: false },
    ]}
    totalLabel="Your rate"
    totalFactor={3.85}
    total={1.925}
  />
);

const why = () => (
  <Cells columns={2}>
    <Cell
      label="Current rate"
      value="1.925000"
      unit="CORD/min"
      size="xl"
      info={
        <WhyPopover about="Current rate" width={480}>
          {rate}
        </WhyPopover>
      }
    />
    <Cell label="Uptime" value="03:42:17" size="xl" />
  </Cells>
);

const askWhy: StoryObj['play'] = async ({ canvas }) => {
  const why = canvas.getByRole('button', { name: 'Why this number? Current rate' });
  await userEvent.hover(why);
  await expect(screen.queryByRole('dialog')).toBeNull();
  why.focus();
  await userEvent.keyboard('{Enter}');
  await expect(await screen.findByRole('dialog')).toHaveTextContent('Account age, 5.4 years');
};

export const WhyThisNumber: StoryObj = { render: why, play: askWhy };

export const WhyAnyNumber: StoryObj = {
  render: () => (
    <Cells columns={2}>
      <Cell
        label="Rank"
        value="#37"
        unit="of 1,284"
        info={
          <WhyNumber
            about="Rank"
            formula="Your place among all miners by total CORD earned. Ties go to whoever got there first."
            inputs={[
              { label: 'Total earned', value: '48,213.57' },
              { label: 'Miners in all', value: '1,284' },
            ]}
          >
            <LedgerRows
              compact
              rows={[
                { id: '1', title: 'Mining at 1.925 CORD/min', note: 'Mining, 21 Nov, 11:00', amount: 115.5 },
                { id: '2', title: 'Daily check-in, day 4 of the streak', note: 'Daily check-in, 21 Nov', amount: 70 },
              ]}
            />
          </WhyNumber>
        }
      />
      <Cell label="Active miners" value="212" />
    </Cells>
  ),
  play: async ({ canvas }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Why this number? Rank' }));
    await expect(await screen.findByRole('dialog')).toHaveTextContent('Miners in all1,284');
  },
};

export const WhyAnyNumberOnAPhone: StoryObj = { ...WhyAnyNumber, tags: ['w320'] };

/** An answer that comes once the popover stands, and has room on the other side only. */
function LateAnswer() {
  const [come, setCome] = useState(false);
  return (
    <div style={{ display: 'grid', height: '80vh', alignContent: 'end' }}>
      <WhyPopover about="Rank" onOpenChange={(open) => open && requestAnimationFrame(() => setCome(true))}>
        {come ? <p style={{ height: '50vh' }}>Your place among all miners.</p> : null}
      </WhyPopover>
    </div>
  );
}

export const WhyWithALateAnswer: StoryObj = {
  render: () => <LateAnswer />,
  play: async ({ canvasElement }) => {
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Why this number? Rank' }));
    const popover = await screen.findByRole('dialog');
    const button = canvasElement.querySelector('button') as HTMLElement;
    const top = (element: HTMLElement) => element.getBoundingClientRect().top;
    await waitFor(() => expect(top(popover)).toBeLessThan(top(button)));
    await expect(popover.scrollHeight).toBe(popover.clientHeight);
  },
};

/** The button that shows each, its kind, title and text. */
const TOASTS = [
  ['Start', 'success', 'Mining Node Started!', 'Earning 1.925000 CORD/min'],
  ['Stop', 'info', 'Mining Node Stopped', 'Session earned: 419.33 CORD'],
  ['Claim', 'warning', 'Already Completed', 'This task has already been completed'],
  ['Fail', 'error', 'Failed to Start Node', 'Network error. Check your connection and try again.'],
] as const;

function Toasts() {
  return (
    <Gallery>
      <GalleryRow label="Announced">
        {TOASTS.map(([button, kind, title, text]) => (
          <Button key={button} onClick={() => toasts.show({ kind, title, text, durationMs: 60_000 })}>
            {button}
          </Button>
        ))}
      </GalleryRow>
      <Toaster />
    </Gallery>
  );
}

const sayAll: StoryObj['play'] = async ({ canvas }) => {
  toasts.clear();
  for (const [name] of TOASTS) await userEvent.click(canvas.getByRole('button', { name }));
  // Three at most: the first one went.
  await waitFor(() => expect(canvas.getAllByTestId('toast')).toHaveLength(3));
  await expect(canvas.queryByText('Mining Node Started!')).toBeNull();
  await userEvent.click(
    within(canvas.getAllByTestId('toast')[0] as HTMLElement).getByRole('button', { name: 'Close' }),
  );
  await waitFor(() => expect(canvas.getAllByTestId('toast')).toHaveLength(2));
};
export const ToastsAtMostThree: StoryObj = { render: () => <Toasts />, play: sayAll };
