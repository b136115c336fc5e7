import { answerInThread } from '../../base/thread.ts';
import { startEngine } from './engine.ts';
import type { Screenshot, ThreadStart } from './read-screenshot.ts';
import { recognize } from './recognize.ts';
import { tidyText } from './tidy-text.ts';

await answerInThread(async ({ image, languageFolder }: ThreadStart): Promise<Screenshot> => {
  const engine = await startEngine(languageFolder);
  try {
    const { text, confidence } = await recognize(engine, image);
    return { text: tidyText(text), confidence };
  } finally {
    await engine.close();
  }
});
