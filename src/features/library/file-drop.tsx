// A place for files: chosen by hand, or dropped anywhere on the dialog around it.

import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly text: string;
  readonly label: string;
  readonly take: (files: readonly File[]) => void;
  /** Whether several files may be chosen at once; false when absent. */
  readonly many?: boolean;
  /** Whether it takes the focus when it is drawn; false when absent. */
  readonly first?: boolean;
}

/** Draws the place. */
export function FileDrop({ text, label, take, many = false, first = false }: Props) {
  const [over, setOver] = useState(false);
  const area = useRef<HTMLLabelElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // SillyTavern gave the focus to a button before there was anything else in the dialog.
  useEffect(() => {
    if (first) input.current?.focus();
  }, [first]);
  useEffect(() => {
    // The whole dialog: a file that falls beside the dashed area would go to SillyTavern's own import.
    const box: HTMLElement | null | undefined = area.current?.closest('dialog') ?? area.current;
    const onOver = (event: DragEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      setOver(true);
    };
    const onLeave = () => setOver(false);
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      setOver(false);
      take([...(event.dataTransfer?.files ?? [])]);
    };
    box?.addEventListener('dragover', onOver);
    box?.addEventListener('dragleave', onLeave);
    box?.addEventListener('drop', onDrop);
    return () => {
      box?.removeEventListener('dragover', onOver);
      box?.removeEventListener('dragleave', onLeave);
      box?.removeEventListener('drop', onDrop);
    };
  }, [take]);
  return (
    <label ref={area} class={`lf-drop ${over ? 'lf-drop-over' : ''}`}>
      <i class="fa-solid fa-file-import" aria-hidden="true" />
      <span>{text}</span>
      <input
        ref={input}
        type="file"
        multiple={many}
        class="lf-file"
        aria-label={label}
        onChange={(event) => take([...(event.currentTarget.files ?? [])])}
      />
    </label>
  );
}
