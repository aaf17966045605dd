import type { StoryObj } from 'storybook-react-rsbuild';
import { BackButton } from '../actions/back-button';
import { Button } from '../actions/button';
import { Card } from './card';
import { Fact } from './fact';
import { Columns, Row, Stack } from './layout';
import { PageHead, ViewPage } from './view-page';

export default { title: 'Surfaces/Layout' };

/** A full view of a tab: head, cards in columns, facts, buttons in a row. */
export const View: StoryObj = {
  render: () => (
    <ViewPage>
      <PageHead title="Rules" back={<BackButton href="/">Home</BackButton>}>
        How CORD is earned.
      </PageHead>
      <Columns align="start">
        <Card title="Mining">
          <dl>
            <Fact name="Base rate">0.500000 CORD/min</Fact>
            <Fact name="With the Badge of Honor" number>
              ×1.05
            </Fact>
          </dl>
        </Card>
        <Stack gap="var(--gap)">
          <Card title="First">
            <Row gap={8} wrap>
              <Button size="sm">Confirm</Button>
              <Button size="sm">Cancel</Button>
            </Row>
          </Card>
          <Card title="Second">
            <Row between align="baseline">
              <span className="t-n24">1,234.50</span>
              <span className="t-label">today</span>
            </Row>
          </Card>
        </Stack>
      </Columns>
    </ViewPage>
  ),
};
