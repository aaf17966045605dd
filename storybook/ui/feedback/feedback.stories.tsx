import { Check, Gift, Medal } from 'lucide-react';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Button } from '../actions/button';
import { Gallery } from '../gallery/gallery';
import { Badge } from '../surfaces/badge';
import { Card } from '../surfaces/card';
import { EmptyState } from './empty-state';
import { Notice } from './notice';
import { Progress } from './progress';
import { DialSkeleton, Skeleton, SkeletonRegion } from './skeleton';
import { TabErrorPanel } from './tab-error-panel';

export default { title: 'Feedback/All' };

export const ProgressBars: StoryObj = {
  render: () => (
    <Gallery>
      <Progress percent={64} label="Weekly mining, 640.12 of 1,000.00" />
      <Progress percent={100} label="Early adopter, completed, 1 of 1" tone="live" />
      <Progress percent={0} label="Not started, 0 of 3" />
      <Progress percent={30} label="Efficiency" tone="warn" />
      <Progress percent={null} label="Not known" />
    </Gallery>
  ),
};

const notices = () => (
  <Gallery>
    <Notice
      icon={<Gift />}
      title="Compensation: 5,000 CORD"
      action={<Button variant="primary">Claim 5,000 CORD</Button>}
    >
      A one-time credit. Each account can claim it once.
    </Notice>
    <Notice
      icon={<Gift />}
      title="Special Reward Available"
      action={<Button variant="primary">Claim 10,000 CORD</Button>}
      onClose={() => undefined}
    >
      For badge holders, once.
    </Notice>
    <Notice
      icon={<Gift />}
      title="Special Reward Available"
      error="Network error. Please try again."
      action={
        <Button variant="primary" loading>
          Processing...
        </Button>
      }
    />
    <Notice
      tone="live"
      icon={<Check />}
      title="Reward Claimed!"
      action={
        <Button disabled disabledReason="A reward is claimed once">
          Claimed Successfully
        </Button>
      }
      announce
    >
      10,000.00 CORD added to your balance.
    </Notice>
    <Notice
      tone="honor"
      icon={<Medal />}
      title="You Own the Badge of Honor!"
      action={<Badge tone="honor">Active</Badge>}
    >
      Since 21 Nov 2026. Your rate is now 2.021250 CORD/min.
    </Notice>
    <Notice
      look="inline"
      tone="danger"
      title="Failed to connect to Discord: Authorization code expired. Please try connecting again."
    >
      Nothing was changed. Your friend's code K7M2QX9D is kept for the next try.
    </Notice>
  </Gallery>
);
export const Notices: StoryObj = { render: notices };

export const EmptyStates: StoryObj = {
  render: () => (
    <Gallery>
      <Card>
        <EmptyState title="No tasks available" action={<Button size="sm">Show all</Button>}>
          Weekly tasks return on Monday.
        </EmptyState>
      </Card>
      <Card>
        <EmptyState title="No miners found" action={<Button size="sm">Clear search</Button>}>
          Nobody is called “zzz”.
        </EmptyState>
      </Card>
      <Card>
        <EmptyState title="No friends yet" action={<Button size="sm">Copy Link</Button>}>
          Share your code, and they will appear here.
        </EmptyState>
      </Card>
    </Gallery>
  ),
};

export const TabError: StoryObj = {
  render: () => (
    <TabErrorPanel
      title="Rankings could not be loaded"
      onRetry={() => undefined}
      action={<Button variant="ghost">Back to Dashboard</Button>}
    />
  ),
};

export const PartError: StoryObj = {
  tags: ['w390'],
  render: () => <TabErrorPanel compact title="Tasks could not be loaded" onRetry={() => undefined} retrying />,
};

export const Skeletons: StoryObj = {
  render: () => (
    <Card>
      <SkeletonRegion label="Loading tasks">
        <Gallery>
          <DialSkeleton />
          <Skeleton width={44} height={44} round />
          <Skeleton width="40%" />
          <Skeleton width="70%" height={12} />
          <Skeleton width={120} height={40} />
        </Gallery>
      </SkeletonRegion>
    </Card>
  ),
};
