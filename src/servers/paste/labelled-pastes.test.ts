import { expect } from 'vitest';
import { judgePaste, readLabelledPastes } from '../../../test/labelled-pastes.ts';
import { verifies } from '../../../test/requirements.ts';

const pastes = [
  'pastes.jsonl',
  'pastes-fresh.jsonl',
  'pastes-strangers.jsonl',
  'pastes-newcomers.jsonl',
  'pastes-held-out.jsonl',
  'pastes-readmes.jsonl',
].flatMap((file) => readLabelledPastes(new URL(`../../../test/data/${file}`, import.meta.url)));

verifies(['S8', 'S9'], 'of the labelled pastes at least 97 in 100 are understood in full', () => {
  expect(pastes.length).toBeGreaterThanOrEqual(80);
  const wrong = pastes.map(judgePaste).filter((judged) => judged.wrong.length > 0);
  expect(wrong.length, JSON.stringify(wrong, undefined, 2)).toBeLessThanOrEqual(pastes.length * 0.03);
});
