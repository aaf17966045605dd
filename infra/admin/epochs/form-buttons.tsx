import { useTexts } from '@cord/sdk';
import { Button, Row } from '@cord/ui';
import { TEXTS } from './texts';

interface FormButtonsProps {
  isNew: boolean;
  /** How many fields are changed. */
  changed: number;
  /** The form can be sent. */
  isReady: boolean;
  /** An act waits for its reason: one at a time. */
  waits: boolean;
  saveText: string;
  onDiscard: () => void;
  /** Takes it out; null where that cannot be. */
  onTakeOut: (() => void) | null;
}

/** What can be done with a form of this view: save, discard, take out; and how much of it is changed. */
export function FormButtons({ isNew, changed, isReady, waits, saveText, onDiscard, onTakeOut }: FormButtonsProps) {
  const t = useTexts(TEXTS);
  const unchanged = changed === 0;
  return (
    <Row gap={8} align="center" wrap>
      <Button
        type="submit"
        variant="primary"
        needsServer
        disabled={!isReady || waits}
        disabledReason={unchanged ? t.noChange : undefined}
      >
        {saveText}
      </Button>
      <Button onClick={onDiscard}>{t.discard}</Button>
      {onTakeOut && (
        <Button variant="outline" needsServer disabled={waits} onClick={onTakeOut}>
          {t.takeOut}
        </Button>
      )}
      {!isNew && <span className="t-note">{unchanged ? t.noChange : t.changes({ count: changed })}</span>}
    </Row>
  );
}
