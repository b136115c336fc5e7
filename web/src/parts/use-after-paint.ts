import { startTransition, useEffect, useState } from 'react';

/**
 * What a value is, once whatever else it changes has been painted: a key that is typed shows at once,
 * and the list that it narrows comes after it. A newer value takes the place of one that still waits.
 */
export function useAfterPaint<Value extends string>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    let timer: number | undefined;
    const frame = window.requestAnimationFrame(() => {
      timer = window.setTimeout(() => startTransition(() => setPainted(value)));
    });
    return () => {
      window.cancelAnimationFrame(frame);
      window.clearTimeout(timer);
    };
  }, [value]);
  return painted;
}
