import { useDeferredValue, useEffect, useState } from 'react';
import { useHub, type Recognised } from '../hub/hub-context.tsx';

/** What the hub makes of a text, asked at every pause in typing; the last answer stays until the next. */
export function useRecognised(text: string): Recognised | undefined {
  const hub = useHub();
  const settled = useDeferredValue(text);
  const [recognised, setRecognised] = useState<Recognised>();
  useEffect(() => {
    if (settled.trim() === '') {
      setRecognised(undefined);
      return undefined;
    }
    let current = true;
    const timer = window.setTimeout(() => {
      hub.plans.recognise({ text: settled }).then(
        (answer) => current && setRecognised(answer),
        // The hub is away, which is said elsewhere; what was known stays.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [hub, settled]);
  return text.trim() === '' ? undefined : recognised;
}

const PAUSE_MS = 150;
