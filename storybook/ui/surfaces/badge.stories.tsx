import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { Gallery, GalleryRow } from '../gallery/gallery';
import {
  Badge,
  CategoryBadge,
  HonorBadge,
  MiningBadge,
  NodeBadge,
  WaitingBadge,
  WarningBadge,
  YouBadge,
} from './badge';

const meta = { title: 'Surfaces/Badge', component: Badge, args: { children: 'Word' } } satisfies Meta<typeof Badge>;
export default meta;
type Story = StoryObj<typeof meta>;

export const All: Story = {
  render: () => (
    <Gallery>
      <GalleryRow label="Node">
        {(['online', 'offline', 'paused', 'error', 'starting', 'stopping'] as const).map((state) => (
          <NodeBadge key={state} state={state} />
        ))}
      </GalleryRow>
      <GalleryRow label="People">
        <YouBadge />
        <HonorBadge />
        <MiningBadge />
      </GalleryRow>
      <GalleryRow label="Tasks">
        {['daily', 'weekly', 'social', 'achievement', 'seasonal'].map((category) => (
          <CategoryBadge key={category} category={category} />
        ))}
      </GalleryRow>
      <GalleryRow label="States">
        <WaitingBadge>6 of 10 min</WaitingBadge>
        <WarningBadge>3 accounts on this network</WarningBadge>
        {(['plain', 'live', 'accent', 'sky', 'honor', 'warn', 'danger', 'inverted'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </GalleryRow>
    </Gallery>
  ),
};
