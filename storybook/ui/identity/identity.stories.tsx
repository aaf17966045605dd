import type { StoryObj } from 'storybook-react-rsbuild';
import { Gallery, GalleryRow } from '../gallery/gallery';
import { QrCode } from '../overlays/qr-code';
import { Avatar } from './avatar';
import { DiscordMark } from './brand-marks';
import { Logo } from './logo';
import { TabIcon } from './tab-icon';

export default { title: 'Identity/All' };

const NAMES = [
  'Mara Okafor',
  'halvard',
  'Jiří Dvořák',
  'old_lantern',
  'the_very_long_discord_name_of_32',
  'kofi.mensah',
  'renata_',
  '日本 太郎',
  '...',
];

export const Avatars: StoryObj = {
  render: () => (
    <Gallery>
      <GalleryRow label="Initials">
        {NAMES.map((name) => (
          <Avatar key={name} name={name} />
        ))}
      </GalleryRow>
      <GalleryRow label="Sizes">
        {[24, 32, 36, 44, 56, 72].map((size) => (
          <Avatar key={size} name="Mara Okafor" size={size} />
        ))}
      </GalleryRow>
      <GalleryRow label="A picture">
        <Avatar
          name="Mara Okafor"
          size={56}
          src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='%232E5140'/%3E%3Ccircle cx='4' cy='4' r='2' fill='%23CFF2DF'/%3E%3C/svg%3E"
        />
      </GalleryRow>
    </Gallery>
  ),
};

export const Marks: StoryObj = {
  render: () => (
    <Gallery>
      <GalleryRow label="Logo">
        {[20, 32, 44, 64].map((size) => (
          <Logo key={size} size={size} />
        ))}
        <Logo named />
      </GalleryRow>
      <GalleryRow label="Brands">
        <DiscordMark size={24} />
      </GalleryRow>
    </Gallery>
  ),
};

export const TabIcons: StoryObj = {
  render: () => (
    <Gallery>
      <GalleryRow label="By name">
        {['dashboard', 'gauge', 'list', 'trophy', 'users', 'shield', 'settings'].map((name) => (
          <TabIcon key={name} icon={name} />
        ))}
      </GalleryRow>
      <GalleryRow label="Of a module's own">
        <TabIcon icon={{ path: 'M3 12h4l3 8 4-16 3 8h4' }} />
      </GalleryRow>
      <GalleryRow label="That nobody knows">
        <TabIcon icon="hammock" />
      </GalleryRow>
    </Gallery>
  ),
};

export const Qr: StoryObj = {
  render: () => (
    <QrCode label="Solana Pay, 0.02 SOL" value="solana:7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU?amount=0.02" />
  ),
};
