import { cord } from '@cord/contracts/rules/money';
import type { CatalogueTask } from './task.js';

type Seed = Omit<CatalogueTask, 'position' | 'extra' | 'expiresAtMs' | 'socialUrl'> & { socialUrl?: string };

const seeds: Seed[] = [
  {
    id: 'daily-checkin',
    type: 'daily',
    title: 'Daily check-in',
    description: 'Check in once a day and keep your streak.',
    rewardMicro: cord(50),
    maxProgress: 1,
    measure: 'check-in',
  },
  {
    id: 'mine-1-hour',
    type: 'daily',
    title: 'Mine for 1 hour',
    description: 'Run your node for an hour in one day.',
    rewardMicro: cord(35),
    maxProgress: 3600,
    measure: 'node-seconds-today',
  },
  {
    id: 'weekly-mining',
    type: 'weekly',
    title: 'Mine 1,000 CORD this week',
    description: 'Counts what your node alone earns from Monday to Sunday.',
    rewardMicro: cord(200),
    maxProgress: 1000,
    measure: 'mined-this-week',
  },
  {
    id: 'follow-x',
    type: 'social',
    title: 'Follow CORD on X',
    description: 'Open our page and follow it.',
    rewardMicro: cord(50),
    maxProgress: 1,
    measure: 'visit',
    socialUrl: 'https://x.com/cordmining',
  },
  {
    id: 'join-discord',
    type: 'social',
    title: 'Join the CORD server',
    description: 'Open the invitation and join us on Discord.',
    rewardMicro: cord(80),
    maxProgress: 1,
    measure: 'visit',
    socialUrl: 'https://discord.gg/cordmining',
  },
  {
    id: 'join-telegram',
    type: 'social',
    title: 'Join the Telegram channel',
    description: 'Open the channel and join it.',
    rewardMicro: cord(60),
    maxProgress: 1,
    measure: 'visit',
    socialUrl: 'https://t.me/cordmining',
  },
  {
    id: 'invite-friends',
    type: 'achievement',
    title: 'Invite 3 friends',
    description: 'Three friends who joined with your code.',
    rewardMicro: cord(150),
    maxProgress: 3,
    measure: 'friends',
  },
  {
    id: 'early-adopter',
    type: 'achievement',
    title: 'Early adopter',
    description: 'A Discord account of five years or more.',
    rewardMicro: cord(750),
    maxProgress: 1,
    measure: 'account-age-5',
  },
  {
    id: 'social-media-master',
    type: 'achievement',
    title: 'Social media master',
    description: 'Complete every social task.',
    rewardMicro: cord(500),
    maxProgress: 3,
    measure: 'social-completed',
  },
];

/** The catalogue of a new system; admins can change it. */
export const SEED_TASKS: readonly CatalogueTask[] = seeds.map((seed, index) => ({
  ...seed,
  socialUrl: seed.socialUrl ?? null,
  expiresAtMs: null,
  position: index + 1,
  extra: {},
}));
