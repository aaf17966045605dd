import type { StoryObj } from 'storybook-react-rsbuild';
import { Link } from '../actions/link';
import { Gallery } from '../gallery/gallery';
import { Card } from './card';

export default { title: 'Surfaces/Card', component: Card };

export const Looks: StoryObj = {
  render: () => (
    <Gallery>
      <Card title="Tasks" aside={<Link href="#tasks">Open Task Center</Link>}>
        <p className="t-body">A border and no shadow.</p>
      </Card>
      <Card title="Something to act on" look="edge">
        <p className="t-body">Its border is an edge.</p>
      </Card>
      <Card title="Done" look="flat">
        <p className="t-body">Its ground is the page.</p>
      </Card>
      <Card>
        <p className="t-body">Without a head.</p>
      </Card>
    </Gallery>
  ),
};
