import { wordSet } from './word-set.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import {
  CONJUNCTIONS,
  DESTRUCTIVE,
  MAYBE_THING,
  MAYBE_THING_FIRST,
  READ,
  READ_ALONE,
  READ_ANYWHERE,
  VERB_AT_END,
  WRITE,
} from './risk-words.ts';

export type Risk = 'read' | 'write' | 'destructive' | 'unknown';

export type RiskSource = 'name' | 'definition' | 'annotations' | 'override' | 'nothing';

export interface ToolRisk {
  readonly risk: Risk;
  readonly from: RiskSource;
}

export interface RiskContext {
  /** Trusted annotations may also lower the risk. */
  readonly trusted?: boolean;
  readonly override?: Risk | undefined;
  /** Names that repeat the server id are read without it. */
  readonly server?: string;
}

/**
 * An override wins, else the name decides. Description, parameters and untrusted annotations only raise the
 * risk (spec 2026-07-28, tool annotations).
 */
export function riskOf(tool: JsonObject & { readonly name: string }, context: RiskContext = {}): ToolRisk {
  if (context.override !== undefined) return { risk: context.override, from: 'override' };
  const name = riskOfName(tool.name, context.server);
  const named: ToolRisk = { risk: name, from: name === 'unknown' ? 'nothing' : 'name' };
  const known = raise(named, riskOfDefinition(tool), 'definition');
  const hints = isObject(tool['annotations']) ? tool['annotations'] : {};
  return context.trusted === true ? believe(known, name, hints) : doubt(known, hints);
}

/** `readOnlyHint: true` must change nothing here. */
function doubt(known: ToolRisk, hints: Record<string, unknown>): ToolRisk {
  if (hints['destructiveHint'] === true) return raise(known, 'destructive', 'annotations');
  return hints['readOnlyHint'] === false ? raise(known, 'write', 'annotations') : known;
}

/** `destructiveHint` doesn't apply to read-only tools (spec 2026-07-28, tool annotations). */
function believe(known: ToolRisk, name: Risk, hints: Record<string, unknown>): ToolRisk {
  const { readOnlyHint, destructiveHint } = hints;
  if (readOnlyHint === true) {
    return name === 'destructive' ? { risk: name, from: 'name' } : { risk: 'read', from: 'annotations' };
  }
  if (destructiveHint === true) return { risk: 'destructive', from: 'annotations' };
  if (destructiveHint === false && (readOnlyHint === false || known.risk === 'destructive')) {
    return { risk: 'write', from: 'annotations' };
  }
  return readOnlyHint === false ? raise(known, 'write', 'annotations') : known;
}

function raise(known: ToolRisk, risk: Risk, from: RiskSource): ToolRisk {
  return ORDER.indexOf(risk) > ORDER.indexOf(known.risk) ? { risk, from } : known;
}

const ORDER: readonly Risk[] = ['read', 'unknown', 'write', 'destructive'];

/** `read` means no objection: this never lowers a risk. */
function riskOfDefinition(tool: JsonObject): Risk {
  const schema = isObject(tool['inputSchema']) ? tool['inputSchema'] : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const found: Risk[] = [riskOfDescription(tool['description'])];
  let read = 0;
  for (const name in properties) {
    found.push(riskOfParameter(name, properties[name]));
    read += 1;
    if (read === PARAMETERS_READ_MAX) break;
  }
  return gravest(found);
}

function riskOfDescription(description: unknown): Risk {
  if (typeof description !== 'string') return 'read';
  const start = description.slice(0, DESCRIPTION_READ_CHARS).trimStart();
  return riskOfVerb(LEADING_VERB.exec(start)?.[1]?.toLowerCase() ?? '');
}

function riskOfParameter(name: string, schema: unknown): Risk {
  const plain = name.replaceAll(/[^a-zA-Z]/g, '').toLowerCase();
  if (TAKES_A_PLACE.test(plain)) return 'write';
  if (TAKES_CODE.has(plain)) return 'unknown';
  const choices = CHOOSES_ACTION.has(plain) && isObject(schema) ? schema['enum'] : undefined;
  if (!Array.isArray(choices)) return 'read';
  const texts = choices.slice(0, CHOICES_READ_MAX).filter((choice) => typeof choice === 'string');
  return gravest(texts.map(riskOfChoice));
}

function riskOfChoice(choice: string): Risk {
  const verb = wordsOf(choice)[0] ?? '';
  return MAYBE_THING.has(verb) && choice !== 'POST' ? 'read' : riskOfVerb(verb);
}

function gravest(found: readonly Risk[]): Risk {
  return GRAVEST_FIRST.find((risk) => found.includes(risk)) ?? 'read';
}

function riskOfVerb(verb: string): Risk {
  const forms = [verb, verb.replace(/s$/, ''), verb.replace(/es$/, ''), verb.replace(/ies$/, 'y')];
  if (forms.some((form) => DESTRUCTIVE.has(form))) return 'destructive';
  return forms.some((form) => WRITE.has(form)) ? 'write' : 'read';
}

const LEADING_VERB =
  /^(?:(?:this|the|an?) (?:\w{1,20} )?(?:function|tool|api|method|endpoint|command)s? (?:is used to |can be used to |can |will |to |that |which |allows \w{1,20} to |lets \w{1,20} )?)?([a-z]{2,20})\b/i;

/** Output locations: outputDir, save_path, saveTo. */
const TAKES_A_PLACE =
  /^(?:(?:out(?:put)?|save|dest(?:ination)?|download)s?(?:dir|directory|path|file|filename|folder|filepath)|save(?:to|as|png|pdf)?)$/;
const TAKES_CODE: ReadonlySet<string> = wordSet('sql command cmd script javascript shell mutation');
const CHOOSES_ACTION = wordSet('action actiontype operation op method httpmethod verb mode type');

const GRAVEST_FIRST: readonly Risk[] = ['destructive', 'write', 'unknown'];
const DESCRIPTION_READ_CHARS = 300;
const PARAMETERS_READ_MAX = 200;
const CHOICES_READ_MAX = 100;

/** The most severe word wins; a name reads only when a read verb leads it. */
function riskOfName(name: string, server?: string): Risk {
  const words = withoutServer(wordsOf(name), server);
  const risk = riskOfWords(words);
  // A foreign letter may be a look-alike: never a read.
  return risk === 'read' && NOT_ASCII.test(name) ? 'unknown' : risk;
}

function riskOfWords(words: readonly string[]): Risk {
  const reading = words.findIndex((word, index) => (index === 0 ? READ : READ_ANYWHERE).has(word));
  const acts = (word: string, index: number): boolean =>
    !MAYBE_THING.has(word) || reading < 0 || index < reading || isVerbHere(words, index);
  if (words.some((word, index) => DESTRUCTIVE.has(word) && acts(word, index))) return 'destructive';
  if (words.some((word, index) => WRITE.has(word) && acts(word, index))) return 'write';
  if (words[0] === 'check' && CHECK_IN.has(words[1] ?? '')) return 'write';
  const isAlone = words.length > 0 && words.every((word) => READ_ALONE.has(word));
  return reading >= 0 || isAlone ? 'read' : 'unknown';
}

/** After a read verb: “get_and_post”, “list_update”. */
function isVerbHere(words: readonly string[], index: number): boolean {
  const [first = ''] = words;
  const isPair = words.length === 2 && index === 1;
  return (
    CONJUNCTIONS.has(words[index - 1] ?? '') ||
    (isPair && MAYBE_THING_FIRST.has(first) && VERB_AT_END.has(words[index] ?? ''))
  );
}

function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, WORD_CHARS_MAX)
    .normalize('NFKC')
    .replaceAll(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .replaceAll(/\blook[^a-z]?up/g, 'lookup')
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** “git_status” of the server git is “status”; verbs stay. */
function withoutServer(words: readonly string[], server: string | undefined): readonly string[] {
  const own = new Set(server === undefined ? ['mcp'] : ['mcp', ...wordsOf(server)]);
  const known = [READ, READ_ALONE, WRITE, DESTRUCTIVE];
  const first = words.findIndex((word) => !own.has(word) || known.some((set) => set.has(word)));
  return first <= 0 ? words : words.slice(first);
}

const WORD_CHARS_MAX = 500;
const CHECK_IN: ReadonlySet<string> = new Set(['in', 'out', 'off']);
// oxlint-disable-next-line no-control-regex -- the range of ASCII is what is meant.
const NOT_ASCII = /[^\u0000-\u007f]/;
