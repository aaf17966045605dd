import { Button, IconButton } from '@cord/ui';
import { Clock, ExternalLink, Lock } from 'lucide-react';
import type { StoryObj } from 'storybook-react-rsbuild';
import { TaskCard, TaskHint } from './task-card';

export default { title: 'Tasks/Card' };

const cards = () => (
  <div style={{ display: 'grid', gap: 16, maxWidth: 480 }}>
    <TaskCard
      title="Mine for 1 hour"
      description="Keep your node running for 60 minutes today."
      category="daily"
      reward={122.5}
      percent={100}
      progressText="01:00:00 of 01:00:00"
      state="claimable"
      action={
        <Button variant="primary" block>
          Claim 122.50 CORD
        </Button>
      }
    />
    <TaskCard
      title="Mine 1,000 CORD this week"
      description="Counts from Monday 00:00 UTC."
      category="weekly"
      reward={700}
      percent={64}
      progressText="640.12 of 1,000.00"
      state="open"
      action={<TaskHint icon={<Clock size={16} />}>Resets in 1 d 12 h</TaskHint>}
    />
    <TaskCard
      title="Follow CORD on X"
      description="Visited at 11:02. You can claim it now."
      category="social"
      reward={175}
      percent={100}
      progressText="Visited"
      state="claimable"
      action={
        <>
          <Button variant="primary" block>
            Claim 175.00 CORD
          </Button>
          <IconButton label="Visit again" icon={<ExternalLink />} />
        </>
      }
    />
    <TaskCard
      title="Join the CORD server"
      description="Say hello in the miners' channel."
      category="social"
      reward={280}
      percent={0}
      progressText="Not visited yet"
      state="open"
      action={
        <Button block trailingIcon={<ExternalLink />}>
          Visit
        </Button>
      }
    />
    <TaskCard
      title="Social media master"
      description="Complete all social tasks."
      category="achievement"
      reward={1750}
      percent={33}
      progressText="1 of 3"
      state="open"
      action={<TaskHint icon={<Lock size={16} />}>2 social tasks to go</TaskHint>}
    />
    <TaskCard
      title="Early adopter"
      description="Your Discord account is 5 years old or more."
      category="achievement"
      reward={2625}
      percent={100}
      progressText="5.4 of 5 years"
      state="completed"
      completedOn="3 Oct"
    />
  </div>
);
export const TaskCards: StoryObj = { render: cards };
