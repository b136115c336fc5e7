import { faces, sentencesOf } from '../test/words.ts';

/** `npm run words`: every sentence that people read, by face and file; with names, those faces alone. */
const asked = process.argv.slice(2);
const wrong = asked.find((name) => !faces.some((face) => face === name));
if (wrong !== undefined) {
  process.stderr.write(`There is no face “${wrong}”: ${faces.join(', ')}.\n`);
  process.exit(2);
}
for (const face of faces.filter((name) => asked.length === 0 || asked.includes(name))) {
  process.stdout.write(`# ${face}\n`);
  let last = '';
  for (const { file, line, text } of sentencesOf(face)) {
    if (file !== last) process.stdout.write(`\n## ${file}\n`);
    last = file;
    process.stdout.write(`${String(line).padStart(5)}  ${text}\n`);
  }
  process.stdout.write('\n');
}
