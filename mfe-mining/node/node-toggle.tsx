import { type TextsOf, useTexts } from '@cord/sdk';
import { Button, type ButtonSize } from '@cord/ui';
import { Play, RotateCw, Square } from 'lucide-react';
import type { ComponentProps } from 'react';
import { TEXTS } from '../texts';
import type { Node } from './use-node';

/** Start Mining, Stop Mining, or Retry, with the states in between. The only button that changes the node. */
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
  // One element in every phase, so that it keeps focus while its label changes.
  return (
    <Button
      {...actionOf(node, t)}
      size={size}
      className={className}
      data-testid="node-toggle"
      data-value={node.phase}
    />
  );
}

type Action = Omit<ComponentProps<typeof Button>, 'ref'>;

/** Returns the action available in the present phase. */
function actionOf(node: Node, t: TextsOf<typeof TEXTS>): Action {
  const { phase, controller, session, save } = node;
  if (phase === 'loading') {
    return {
      variant: 'primary',
      icon: <Play />,
      disabled: true,
      disabledReason: t['statusOf.loading'],
      children: t.start,
    };
  }
  if (phase === 'error') {
    const retry = session === null ? controller.reload : () => controller.saver.save({ forced: true });
    return {
      icon: <RotateCw />,
      loading: save.saving,
      loadingText: t.retrying,
      needsServer: true,
      onClick: () => void retry(),
      children: t.retry,
    };
  }
  if (phase === 'running' || phase === 'stopping') {
    return {
      icon: <Square />,
      loading: phase === 'stopping',
      loadingText: t.stopping,
      needsServer: true,
      onClick: () => void controller.stop(),
      children: t.stop,
    };
  }
  return startOf(node, t);
}

function startOf({ phase, controller }: Node, t: TextsOf<typeof TEXTS>): Action {
  return {
    variant: 'primary',
    icon: <Play />,
    loading: phase === 'starting',
    loadingText: t.starting,
    needsServer: true,
    onClick: () => void controller.start(),
    children: t.start,
  };
}

/** Start Mining, for a node that does not run. */
export function StartButton({
  node,
  ...rest
}: { node: Node } & Pick<ComponentProps<typeof Button>, 'size' | 'className'>) {
  const t = useTexts(TEXTS);
  return <Button {...rest} {...startOf(node, t)} />;
}
