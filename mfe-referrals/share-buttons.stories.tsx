import type { Meta, StoryObj } from 'storybook-react-rsbuild';
import { ShareButtons } from './share-buttons';

const meta = { title: 'Referrals/Share buttons' } satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

const share = () => <ShareButtons url="https://cord.example/?ref=K7M2QX9D" text="Mine CORD with me" />;
export const Share: Story = { render: share };
