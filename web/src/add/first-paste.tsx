import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { places } from '../frame/places.ts';
import { handOver, keepText, keptText } from './drafts.ts';
import { PasteBox } from './paste-box.tsx';
import { RecognizedLine } from './recognized-line.tsx';
import { useRecognized } from './use-recognized.ts';
import { WellKnown } from './well-known.tsx';

/** The box for anything where nothing is yet: what is pasted here continues on the page for adding. */
export default function FirstPaste(): ReactNode {
  const [, go] = useLocation();
  const [text, setText] = useState(keptText);
  const recognized = useRecognized(text);
  const change = (next: string): void => {
    setText(next);
    keepText(next);
  };
  const goOn = (given = text): void => {
    if (given.trim() === '') return;
    handOver(given);
    go(places.add);
  };
  return (
    <>
      <PasteBox text={text} onChange={change} onGoOn={() => goOn()} busy={false} />
      {text.trim() === '' ? (
        <WellKnown onTake={goOn} />
      ) : (
        <RecognizedLine recognized={recognized} text={text} onUse={change} />
      )}
    </>
  );
}
