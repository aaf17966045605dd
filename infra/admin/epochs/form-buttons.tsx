import { useTexts } from '@cord/sdk';
import { Button, Row } from '@cord/ui';
import { TEXTS } from './texts';

interface FormButtonsProps {
  isNew: boolean;
  /** Number of changed fields. */
  changed: number;
  /** The form is valid. */
  isReady: boolean;
  /** An act is open and needs its reason; only one can be open. */
  waits: boolean;
  saveText: string;
  onDiscard: () => void;
  /** Deletes the thing; null where that is not possible. */
  onTakeOut: (() => void) | null;
}

/** Buttons of a form (save, discard, delete) and the number of changed fields. */
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
