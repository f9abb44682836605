import { Dialog } from "../design/dialog.tsx";

interface CancelDialogProps {
  readonly title: string;
  readonly onCancel: () => void;
  readonly onClose: () => void;
}

/** Asks for one confirmation. */
export function CancelDialog({ title, onCancel, onClose }: CancelDialogProps) {
  return (
    <Dialog title="Cancel this payment?" onClose={onClose}>
      <p>{title}. If the customer's card has its answer already, it is too late, and the page says so.</p>
      <div class="row">
        <button
          type="button"
          data-kind="danger"
          autofocus
          onClick={() => {
            onCancel();
            onClose();
          }}
        >
          Yes, cancel it
        </button>
        <button type="button" onClick={onClose}>
          No, go on
        </button>
      </div>
    </Dialog>
  );
}
