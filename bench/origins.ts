import { report } from './figure.ts';
import { cpuOf, interleave } from './measure.ts';
import { product } from './product.ts';

/** What a rule over data costs: fingerprints of every answer, and a look at the arguments of every call. */
const ROUNDS = 15;
const TEXTS = 40;
const CHARS = 20_000;

const { DataOrigins } = await product<typeof import('../src/policy/origins/data-origins.ts')>(
  'policy/origins/data-origins',
);
const { limits } = await product<typeof import('../src/base/limits.ts')>('base/limits');

const origins = new DataOrigins({ limits, enabled: true });
const word = words();
const args = { to: 'somebody', body: textOf(500), tags: ['one', 'two'] };
// As the tool names them.
const declared = new Set(Object.keys(args));
let sum = 0;

const cost = await interleave(
  { remember: () => perChar(remember), look: () => perChar(walk), search: () => perCall() },
  { rounds: ROUNDS, warmUps: 3 },
);
report([
  {
    name: 'fingerprint a character of a result, against looking at it',
    unit: 'ns',
    measured: cost.remember,
    floor: cost.look,
    target: { max: 50 },
  },
  {
    name: 'look through 500 characters of arguments',
    unit: 'µs',
    measured: cost.search,
    target: { max: 60 },
  },
]);
if (sum === 0) throw new Error('Nothing was looked at.');

async function perChar(work: (text: string) => void): Promise<number> {
  // New texts each time: what was told before is cheaper.
  const texts = Array.from({ length: TEXTS }, () => textOf(CHARS));
  const chars = texts.reduce((total, text) => total + text.length, 0);
  const spent = await cpuOf(async () => texts.forEach(work));
  return (spent * 1000) / chars;
}

async function perCall(): Promise<number> {
  const repeats = 500;
  const spent = await cpuOf(async () => {
    for (let count = 0; count < repeats; count += 1) {
      sum += origins.originsIn({ principal: 'me', server: 'chat', args, declared }).length + 1;
    }
  });
  return spent / repeats;
}

function remember(text: string): void {
  const result = { content: [{ type: 'text', text }] };
  origins.remember({ principal: 'me', server: 'mail', tool: 'read', result });
}

function walk(text: string): void {
  for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index);
}

function textOf(chars: number): string {
  // Joined at once, as the text of an answer is: one piece in memory.
  return Array.from({ length: Math.ceil(chars / 6.5) }, word).join(' ');
}

/** Invented words, the same in every run. */
function words(): () => string {
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return () => Array.from({ length: 2 + random(8) }, () => String.fromCharCode(97 + random(26))).join('');
}
