import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';

/** Puts a text on the clipboard, and says so. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}): ReactNode {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    window.setTimeout(() => setDone(false), 1_500);
  };
  return (
    <Button look="quiet" icon={done ? 'check' : 'copy'} onClick={() => void copy()}>
      {done ? 'Copied' : label}
    </Button>
  );
}
