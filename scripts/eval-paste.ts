import { judgePaste, readLabelledPastes } from '../test/labelled-pastes.ts';

/**
 * `npm run eval:paste -- FILE [--failures] [--json]`: reads every labelled paste of FILE (one JSON
 * object a line) and says how many are understood in full, by kind.
 */
const words = process.argv.slice(2);
const file = words.find((word) => !word.startsWith('--'));
if (file === undefined) {
  console.error('Which file? npm run eval:paste -- FILE [--failures] [--json]');
  process.exit(2);
}

const outcomes = readLabelledPastes(file).map(judgePaste);
const kinds = [...new Set(outcomes.map(({ kind }) => kind))].toSorted();
const rows = kinds.map((kind) => {
  const all = outcomes.filter((outcome) => outcome.kind === kind);
  return { kind, right: all.filter(({ wrong }) => wrong.length === 0).length, all: all.length };
});
const right = outcomes.filter(({ wrong }) => wrong.length === 0).length;
const failures = outcomes.filter(({ wrong }) => wrong.length > 0);

if (words.includes('--json'))
  console.log(JSON.stringify({ right, all: outcomes.length, kinds: rows, failures }, undefined, 2));
else {
  for (const row of rows)
    console.log(`${percent(row.right, row.all)}  ${`${row.right}/${row.all}`.padStart(8)}  ${row.kind}`);
  console.log(`${percent(right, outcomes.length)}  ${`${right}/${outcomes.length}`.padStart(8)}  all`);
  if (words.includes('--failures'))
    for (const { id, wrong } of failures) console.log(`\n${id}\n  ${wrong.join('\n  ')}`);
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(8);
}
