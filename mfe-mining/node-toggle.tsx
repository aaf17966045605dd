import { useTexts } from '@cord/sdk';
import { Button, type ButtonSize } from '@cord/ui';
import { Play, RotateCw, Square } from 'lucide-react';
import type { ComponentProps } from 'react';
import { TEXTS } from './texts';
import type { Node } from './use-node';

/** Start Mining, Stop Mining, or Retry, with the state in between. The one button that changes the node. */
export function NodeToggle({
  node,
  size,
  className,
}: {
  node: Node;
  size: ButtonSize;
  className?: string | undefined;
}) {
  const t = useTexts(TEXTS);
  const { phase, controller, session, save } = node;
  const shared = { size, className, 'data-testid': 'node-toggle', 'data-value': phase };
  if (phase === 'loading') {
    return (
      <Button {...shared} variant="primary" icon={<Play />} disabled disabledReason={t['statusOf.loading']}>
        {t.start}
      </Button>
    );
  }
  if (phase === 'error') {
    const retry = session === null ? controller.reload : () => controller.saver.save({ forced: true });
    return (
      <Button
        {...shared}
        icon={<RotateCw />}
        loading={save.saving}
        loadingText={t.retrying}
        needsServer
        onClick={() => void retry()}
      >
        {t.retry}
      </Button>
    );
  }
  if (phase === 'running' || phase === 'stopping') {
    return (
      <Button
        {...shared}
        icon={<Square />}
        loading={phase === 'stopping'}
        loadingText={t.stopping}
        needsServer
        onClick={() => void controller.stop()}
      >
        {t.stop}
      </Button>
    );
  }
  return <StartButton node={node} {...shared} />;
}

/** Start Mining, for a node that does not run. */
export function StartButton({
  node: { phase, controller },
  ...rest
}: { node: Node } & Pick<ComponentProps<typeof Button>, 'size' | 'className'>) {
  const t = useTexts(TEXTS);
  return (
    <Button
      {...rest}
      variant="primary"
      icon={<Play />}
      loading={phase === 'starting'}
      loadingText={t.starting}
      needsServer
      onClick={() => void controller.start()}
    >
      {t.start}
    </Button>
  );
}
