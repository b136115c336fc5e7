import { withoutInvisible } from './hidden-text.ts';
import { foldLetters } from './look-alike.ts';

/** Text that instructs the model instead of describing the tool. Every pattern is bounded. */
export function findInstructions(text: string): string | undefined {
  if (text.length < SENTENCE_CHARS_MIN && !MARKS.test(text)) return undefined;
  // Lower case, without hidden characters and look-alike letters.
  const folded = (NOT_PLAIN.test(text) ? foldLetters(withoutInvisible(text)) : text).toLowerCase();
  if (!TRIGGER.test(folded)) return undefined;
  for (const { needs, pattern, says } of PATTERNS) {
    if (!needs.some((part) => folded.includes(part))) continue;
    const found = pattern.exec(folded)?.[0];
    if (found !== undefined)
      return `${says}: “${found.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARS).trim()}”.`;
  }
  return undefined;
}

export function findCarrier(parameter: string): string | undefined {
  return CARRIER.test(parameter)
    ? `The parameter “${parameter}” asks for what the model was told elsewhere.`
    : undefined;
}

/** Shorter texts can only hold blocks and paths. */
const SENTENCE_CHARS_MIN = 18;
const MARKS = /[<[/.]/;
const SHOWN_CHARS = 120;
const NOT_PLAIN = /[^\t\n\r -~]/;
const CARRIER =
  /^(?:side[_-]?notes?|(?:conversation|chat|tool[_-]?call)[_-]?history|chain[_-]?of[_-]?thought|(?:all|previous)[_-]?messages)$/i;

/** Every pattern contains one of these; most texts contain none. */
const TRIGGER = new RegExp(
  String.raw`<[\s/|<]{0,6}(?:imp|crit|sys|inst|sec|hid|adm|ass|over|[a-z_]{2,20}\|)|\[/?(?:inst|syst)|(?:^|[^a-z])(?:` +
    [
      'a(?:fter|pi key|void|ws/)|b(?:ash_hist|efore|ypass)|c(?:hat|laude_desk|onversation|redential)',
      `d(?:isregard|o not|on['’]t)|e(?:ach time|nv|tc/|very time)|f(?:orget|rom now on)|git-cred`,
      'i(?:d_ed|d_rsa|gnor)|k(?:eep it|eep this|ube/)|m(?:cp.json|ust not)|n(?:etrc|ever|ew instr|o need|pmrc)',
      'overrid|p(?:assword|revious mess|rior|rivate key)|s(?:ecret|hould not|ilently|sh/|ystem prompt)|token',
      'w(?:henever|ithout)|you(?: are now|r new|r real|r true)',
    ].join('|') +
    ')',
);

interface Pattern {
  /** Cheap to look for: the pattern contains one of these. */
  readonly needs: readonly string[];
  readonly pattern: RegExp;
  readonly says: string;
}

/** Words and blanks exclude each other: one way to match. */
const words = (count: number): string => String.raw`(?:\S{1,40}\s{1,20}){0,${count}}`;
const join = (...parts: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\w-])` + parts.join(String.raw`\s{1,20}`), 's');
const any = (list: string): string => `(?:${list.replaceAll(', ', '|')})`;

const SECRET_FILES = String.raw`\S{0,60}(?:\.ssh/|id_rsa|id_ed25519|/etc/passwd|/etc/shadow|\.aws/credentials|\.npmrc|\.netrc|\.git-credentials|\.kube/config|\.bash_history|mcp\.json|claude_desktop_config|\.env(?![\w.]))`;

const PATTERNS: readonly Pattern[] = [
  {
    needs: ['<', '[inst', '[/inst', '[sys', '[/sys'],
    pattern:
      /<\s{0,3}\/?\s{0,3}(?:important|critical|system|instructions?|secret|hidden|admin|assistant|override)(?![\w-])[^<>]{0,40}>|<\|[a-z_]{2,20}\|>|<<\/?sys>>|\[\/?(?:inst|system)\]/,
    says: 'It has a block that speaks to the model',
  },
  {
    needs: ['ignor', 'disregard', 'forget', 'overrid', 'bypass'],
    pattern: join(
      any('ignor(?:e|ing), disregard(?:ing)?, forget, overrid(?:e|ing), bypass(?:ing)?'),
      words(3) + any('previous, prior, above, earlier, preceding, all, any, other, your, system, safety'),
      words(3) + any('instructions?, prompts?, rules, guidelines, directives, guardrails'),
    ),
    says: 'It tells the model to leave its instructions',
  },
  {
    needs: ['tell', 'mention', 'inform', 'reveal', 'disclos', 'notif', 'alert', 'show'],
    pattern: join(
      any(`do not, don['’]t, never, must not, should not, without, avoid`),
      words(2) +
        any(
          'tell(?:ing)?, mention(?:ing)?, inform(?:ing)?, reveal(?:ing)?, disclos(?:e|ing), notify(?:ing)?, alert(?:ing)?, show(?:ing)?',
        ),
      words(5) + any('users?, humans?, anyone, anybody') + String.raw`(?![\w-])`,
    ),
    says: 'It tells the model to keep something from the user',
  },
  {
    needs: ['secretly', 'silently', 'keep this', 'keep it'],
    pattern: join(
      any('secretly, silently, keep (?:this|it) (?:secret|hidden|to yourself|confidential)') +
        String.raw`(?![\w-])`,
      words(3) + any('send, pass, forward, include, copy, read, call, use, add, bcc, upload, from'),
    ),
    says: 'It tells the model to act in secret',
  },
  {
    needs: ['confirmation', 'approval', 'permission', 'consent'],
    pattern: join(
      any(`do not, don['’]t, never, no need to, without`),
      words(1) + any('ask(?:ing)?, request(?:ing)?, wait(?:ing)?, seek(?:ing)?, prompt(?:ing)?'),
      words(5) + any('confirmation, approval, permission, consent'),
    ),
    says: 'It tells the model not to ask',
  },
  {
    needs: ['tool'],
    pattern: join(
      any('before, prior to, whenever, every time, each time, after'),
      words(2) + any('us(?:e|ing), call(?:ing)?, invok(?:e|ing), run(?:ning)?, execut(?:e|ing)'),
      words(2) + any('any, all, every, each, other, another'),
      words(3) + 'tools?',
    ),
    says: 'It puts itself before the tools of others',
  },
  {
    needs: '.ssh id_rsa id_ed /etc/ .aws .npmrc .netrc .git- .kube .bash_ mcp.json claude_d .env'.split(' '),
    pattern: join(
      any(
        'read, cat, open, load, fetch, include, pass, send, contents? of, retrieve, access, extract, copy, get, provide, upload, attach, paste',
      ),
      words(7) + SECRET_FILES,
    ),
    says: 'It asks for a file that holds secrets',
  },
  {
    needs: ['system prompt', 'conversation', 'chat', 'previous messages'],
    pattern: join(
      any(
        'send, pass, include, provide, forward, copy, append, put, insert, attach, paste, repeat, reveal, summari[sz]e',
      ),
      words(3) +
        any(
          String.raw`system prompt, (?:your|this|our|entire|whole|full|current|complete)\s{1,20}${words(2)}(?:conversation|chat)(?: history| so far| log| transcript)?, all previous messages`,
        ) +
        String.raw`(?![\w-])`,
    ),
    says: 'It asks for what was said elsewhere',
  },
  {
    needs: ['key', 'password', 'credential', 'secret', 'token', 'environment'],
    pattern: join(
      any('send, include, pass, forward, upload, leak, exfiltrate, collect, gather, append, attach'),
      words(3) + any(`all, any, every, user['’]s, known, available`),
      words(3) +
        any(
          'api keys?, passwords?, credentials?, secrets?, access tokens?, private keys?, environment variables?',
        ) +
        String.raw`(?![\w-])`,
    ),
    says: 'It asks for secrets',
  },
  {
    needs: ['you are now', 'from now on', 'new instr', 'your new', 'your real', 'your true'],
    pattern:
      /\b(?:you are now (?:a|an|the|in)\b|from now on,? (?:you|always|never)\b|new instructions?:|your (?:new|real|true) (?:task|goal|instructions?|purpose|role)\b)/,
    says: 'It gives the model another role',
  },
];
