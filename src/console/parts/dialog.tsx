/** Dialogs based on the browser's own `<dialog>`: Escape closes them, and the focus returns to where it was. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Failure } from "./failure";

/** A dialog that is open while it is mounted. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  /** Called when the user closes it: unmount it then. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      isGone.current = true;
      // Close it before it is removed: only a closed dialog returns the focus.
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // Ignore the event after unmounting: it arrives late, when the user may be elsewhere.
  const closed = () => {
    if (!isGone.current) onClose();
  };
  // Handle Escape at once. The event "close" comes a moment after the focus returned, and would close a dialog that was
  // opened again in that moment. "cancel" also bubbles up from a file field inside.
  const cancelled = ({ target, currentTarget }: { target: EventTarget | null; currentTarget: EventTarget }) => {
    if (target === currentTarget) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={cancelled} onClose={closed}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Asks for confirmation. Waits while the action runs; if it fails, the dialog stays and shows the error. */
export function ConfirmDialog({
  title,
  children,
  action,
  isDangerous = false,
  onConfirm,
  onClose,
}: {
  /** The question. */
  readonly title: string;
  /** The consequences, in words. */
  readonly children?: ComponentChildren;
  /** The label of the button, as in "Delete 3 models". */
  readonly action: string;
  /** Whether it cannot be undone. */
  readonly isDangerous?: boolean;
  /** The action. The dialog closes when it resolves. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const confirm = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    error.value = undefined;
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      error.value = reason;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void confirm(event)}>
        {children}
        <Failure error={error.value} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "danger" : ""} disabled={isBusy.value}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
