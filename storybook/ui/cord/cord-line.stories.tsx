import type { StoryObj } from 'storybook-react-rsbuild';
import { formatMultiplier } from '../format';
import { Gallery, GalleryRow } from '../gallery/gallery';
import { CordLine, cordThickness, PartedCord } from './cord-line';

export default { title: 'Cord/CordLine', component: CordLine };

export const Tiers: StoryObj = {
  render: () => (
    <Gallery>
      {[1, 1.2, 1.5, 2, 2.5, 3.5, 5, 7, 10].map((multiplier) => (
        <GalleryRow key={multiplier} label={formatMultiplier(multiplier)}>
          <CordLine thickness={cordThickness(multiplier)} adds={{ base: 1, age: multiplier - 1 }} />
        </GalleryRow>
      ))}
    </Gallery>
  ),
};
export const UnderTheRateTable: StoryObj = {
  render: () => <CordLine adds={{ base: 0.5, age: 1.25, epoch: 0.175 }} />,
};
export const Parted: StoryObj = { render: () => <PartedCord /> };
