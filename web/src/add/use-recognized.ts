import { useDeferredValue, useEffect, useState } from 'react';
import { useHub, type Recognized } from '../hub/hub-context.tsx';

/** What the hub makes of a text, asked at every pause in typing; the last answer stays until the next. */
export function useRecognized(text: string): Recognized | undefined {
  const hub = useHub();
  const settled = useDeferredValue(text);
  const [recognized, setRecognized] = useState<Recognized>();
  useEffect(() => {
    if (settled.trim() === '') {
      setRecognized(undefined);
      return undefined;
    }
    let current = true;
    const timer = window.setTimeout(() => {
      hub.plans.recognize({ text: settled }).then(
        (answer) => current && setRecognized(answer),
        // The hub is away, which is said elsewhere; what was known stays.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      window.clearTimeout(timer);
    };
  }, [hub, settled]);
  return text.trim() === '' ? undefined : recognized;
}

const PAUSE_MS = 150;
