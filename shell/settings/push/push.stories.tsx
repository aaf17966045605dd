import { at, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { Card } from '@cord/ui';
import type { StoryObj } from 'storybook-react-rsbuild';
import { storyIn } from '../../testing/story-shell';
import type { TestShell } from '../../testing/test-shell';
import { NoticeChoices } from '../notice-choices';
import { Section } from '../section';
import { PauseWarning, WarningSwitch } from './pause-warning';
import { Devices, QuietHours } from './push-devices';
import type { Browser } from './this-browser';

export default { title: 'Shell/Settings push' };

const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const HERE = {
  id: '1'.repeat(32),
  device: 'Chrome on Linux',
  allowedAt: iso(SAMPLE_NOW_MS - 72 * HOUR_MS),
  lastSentAt: iso(SAMPLE_NOW_MS - HOUR_MS),
};
const PHONE = {
  id: '2'.repeat(32),
  device: 'Firefox on Android',
  allowedAt: iso(SAMPLE_NOW_MS - 1_200 * HOUR_MS),
  lastSentAt: iso(SAMPLE_NOW_MS - 30 * HOUR_MS),
};
const SETTINGS = {
  autoStart: true,
  notifications: true,
  notices: { 'node-paused': 'push', 'streak-closing': 'push', payment: 'push', 'support-answered': 'push' },
  quietHours: null,
};

const story = (content: React.ReactNode, change: (shell: TestShell) => void = () => undefined): StoryObj =>
  storyIn(content, (shell) => {
    shell.sdk.api
      .on(at.users.getSettings, SETTINGS)
      .on(at.users.putSettings, SETTINGS)
      .on(at.notices.pushKey, { key: 'a key' })
      .on(at.notices.pushDevices, [HERE, PHONE]);
    change(shell);
  });
const notLoaded = ({ sdk }: TestShell) => sdk.api.fail(at.notices.pushDevices, problem(503, 'down'));

const devices = (here: Browser, listed: (typeof HERE)[], quietHours: typeof NIGHT | null = null): StoryObj =>
  story(
    <Section title="Push on this device" text="Each browser asks you once.">
      <Devices serverKey="a key" here={here} devices={listed} />
      <QuietHours />
    </Section>,
    ({ sdk }) => sdk.api.on(at.users.getSettings, { ...SETTINGS, quietHours }),
  );
const NIGHT = { from: '23:00', to: '07:00', zone: 'Europe/Berlin' };

/** Each kind with its three places. A test browser shows no prompt; it blocks pushes, as shown below. */
export const Choices: StoryObj = {
  ...story(<NoticeChoices />),
  play: async ({ canvas }) => {
    await canvas.findByText('Push on this device');
  },
  tags: ['w390', 'w320'],
};

export const On: StoryObj = {
  ...devices({ permission: 'granted', id: HERE.id }, [HERE, PHONE]),
  tags: ['w390', 'w320'],
};
export const NotTurnedOn: StoryObj = devices({ permission: 'default', id: null }, [PHONE]);
export const Blocked: StoryObj = { ...devices({ permission: 'denied', id: null }, [PHONE]), tags: ['w390'] };
export const Unable: StoryObj = devices({ permission: 'none', id: null }, []);
export const QuietAtNight: StoryObj = {
  ...devices({ permission: 'granted', id: HERE.id }, [HERE], NIGHT),
  tags: ['w390', 'w320'],
};

export const DevicesNotLoaded: StoryObj = {
  ...story(<NoticeChoices />, notLoaded),
  play: async ({ canvas }) => {
    await canvas.findByText('Your devices could not be loaded');
  },
};

/** Beside the node: the choice for its pause, and this browser's permission. */
const warning = (here: Browser, isOn: boolean): StoryObj =>
  story(
    <Card>
      <WarningSwitch serverKey="a key" here={here} isHere={isOn} isChosen={isOn} />
    </Card>,
  );
export const WarningOn: StoryObj = { ...warning({ permission: 'granted', id: HERE.id }, true), tags: ['w390', 'w320'] };
export const WarningOff: StoryObj = warning({ permission: 'default', id: null }, false);
export const WarningBlocked: StoryObj = { ...warning({ permission: 'denied', id: null }, true), tags: ['w390'] };

export const WarningNotLoaded: StoryObj = {
  ...story(<PauseWarning />, notLoaded),
  play: async ({ canvas }) => {
    await canvas.findByText('This setting could not be loaded');
  },
};
