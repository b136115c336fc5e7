import { useLayoutEffect, useRef, type ReactNode } from 'react';
import temml from 'temml';
import styles from './markdown.module.css';

interface MathViewProps {
  readonly tex: string;
  readonly display: boolean;
}

/** TeX as MathML, which browsers draw and read aloud by themselves. A model writes no link and no style with it. */
export default function MathView({ tex, display }: MathViewProps): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    try {
      temml.render(tex, element, { displayMode: display, trust: false, throwOnError: true, maxExpand: 500 });
    } catch {
      // While it streams it is incomplete, and some of it is no TeX: then it is shown as it was written.
      element.textContent = tex;
    }
  }, [tex, display]);
  return (
    <span
      ref={place}
      className={display ? styles['formula'] : undefined}
      {...(display ? { role: 'group', 'aria-label': 'Formula', tabIndex: 0 } : {})}
    />
  );
}
