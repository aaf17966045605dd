import { expect } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Gallery, GalleryRow } from '../gallery/gallery';
import { Amount } from './amount';

export default { title: 'Product/All' };

export const Amounts: StoryObj = {
  render: () => (
    <Gallery>
      <GalleryRow label="Balance">
        <Amount value={48213.57} unit="CORD" size="n44" testId="balance" />
      </GalleryRow>
      <GalleryRow label="Rate">
        <Amount value={1.925} kind="rate" unit="CORD/min" size="n32" readerText="1.925 CORD per minute" />
      </GalleryRow>
      <GalleryRow label="Micro-CORD, truncated">
        <Amount value={9_999_999_999_999n} unit="CORD" size="n32" />
      </GalleryRow>
      <GalleryRow label="Thousands, unknown, zero">
        <Amount value={7_912_499} kind="k" size="n24" />
        <Amount value={null} size="n24" />
        <Amount value={0} size="n24" />
      </GalleryRow>
      <GalleryRow label="Hero">
        <Amount value={419.33} size="n64" />
      </GalleryRow>
    </Gallery>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByTestId('balance')).toHaveAttribute('data-value', '48213.57');
    await expect(canvas.getByText('9,999,999.99')).toBeVisible();
  },
};
