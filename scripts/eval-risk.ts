import { existsSync, readFileSync } from 'node:fs';
import { riskOf, type Risk } from '../src/catalog/risk.ts';

/**
 * `node scripts/eval-risk.ts [FILE…] [--reads]`: how the risk of real tools is told, against the
 * labels in test/data/risk-labels.json. Without a FILE the names alone decide. A FILE is a JSON
 * list of `{ server, name, description, inputSchema }`: the same labels are judged on the whole
 * definitions, and all tools are counted. `--reads` prints every tool that is taken for a read.
 */
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const missing = files.find((file) => !existsSync(file));
if (missing !== undefined) {
  console.error(`There is no file ${missing}. Usage: node scripts/eval-risk.ts [FILE…] [--reads]`);
  process.exit(2);
}

interface Label {
  readonly server: string;
  readonly tool: string;
  readonly risk: Exclude<Risk, 'unknown'>;
}
interface Listed {
  readonly server: string;
  readonly name: string;
}

const labels = JSON.parse(
  readFileSync(new URL('../test/data/risk-labels.json', import.meta.url), 'utf8'),
) as readonly Label[]; // our own file
const listed = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as readonly Listed[]); // see above

let missed = print(
  'names alone',
  labels.map((label) => ({ label, tool: { name: label.tool } })),
);
if (listed.length > 0) {
  const found = labels.flatMap((label) => {
    const tool = listed.find((each) => each.server === label.server && each.name === label.tool);
    return tool === undefined ? [] : [{ label, tool: { ...tool } }];
  });
  missed += print('whole definitions', found);
  const all = listed.map((tool) => ({ tool, risk: riskOf({ ...tool }, { server: tool.server }).risk }));
  console.log(
    `\nall ${all.length} tools:`,
    JSON.stringify(
      Object.groupBy(all, ({ risk }) => risk),
      count,
    ),
  );
  if (process.argv.includes('--reads')) {
    for (const { tool, risk } of all) if (risk === 'read') console.log(`${tool.server}/${tool.name}`);
  }
}
process.exitCode = missed === 0 ? 0 : 1;

/** Answers how many writes were taken for reads: there may be none. */
function print(title: string, judged: readonly { label: Label; tool: { name: string } }[]): number {
  const risks: readonly Risk[] = ['read', 'unknown', 'write', 'destructive'];
  const rows = judged.map(({ label, tool }) => ({
    label,
    found: riskOf(tool, { server: label.server }).risk,
  }));
  console.log(`\n${title}: ${rows.length} labelled tools; a row is the label, a column what was told`);
  console.table(
    Object.fromEntries(
      risks
        .filter((risk) => risk !== 'unknown')
        .map((wanted) => [
          wanted,
          Object.fromEntries(
            risks.map((told) => [
              told,
              rows.filter((row) => row.label.risk === wanted && row.found === told).length,
            ]),
          ),
        ]),
    ),
  );
  const wrong = rows.filter(({ label, found }) => found === 'read' && label.risk !== 'read');
  for (const { label } of wrong)
    console.log(`taken for a read: ${label.server}/${label.tool} (${label.risk})`);
  return wrong.length;
}

function count(key: string, value: unknown): unknown {
  return key !== '' && Array.isArray(value) ? value.length : value;
}
