import type { StoryObj } from 'storybook-react-rsbuild';
import { ShareButtons } from './share-buttons';

export default { title: 'Referrals/Share buttons' };

const share = () => <ShareButtons url="https://cord.example/?ref=K7M2QX9D" text="Mine CORD with me" />;
export const Share: StoryObj = { render: share };
