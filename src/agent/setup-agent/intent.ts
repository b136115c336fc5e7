import { plainName } from '../../servers/featured.ts';
import { setupLimits } from './limits.ts';
import type { Note } from './setup.ts';

export type Intent =
  | { readonly kind: 'help' | 'list' | 'agree' | 'decline' | 'choose-none' | 'add' }
  | { readonly kind: 'test' | 'remove' | 'sign-in'; readonly server: string }
  | { readonly kind: 'choose'; readonly name: string };

/** The previous question decides what “yes” and “the second one” mean. */
export function readIntent(text: string, asked: Note): Intent {
  const line = text.trim().replace(/[\s.!?]+$/, '');
  if (line === '' || line.length > setupLimits.requestCharsMax || line.includes('\n')) {
    return line === '' ? { kind: 'help' } : { kind: 'add' };
  }
  const choice = asked.choices && choiceOf(line, asked.choices);
  if (choice) return choice;
  if (YES.test(line)) return { kind: 'agree' };
  if (NO.test(line)) return { kind: 'decline' };
  if (HELP.test(line)) return { kind: 'help' };
  if (LIST.test(line)) return { kind: 'list' };
  for (const [kind, pattern] of ABOUT_ONE) {
    const server = pattern
      .exec(line)
      ?.slice(1)
      .find((part) => part !== undefined);
    if (server === undefined || !isName(server)) continue;
    const name = withoutArticle(server);
    // “Why is it failing?” is answered with the list.
    return MANY.test(name) ? { kind: 'list' } : { kind, server: name };
  }
  return { kind: 'add' };
}

const YES =
  /^(?:yes|yep|yeah|y|ok|okay|sure|please do|do it|go ahead|use (?:it|this|that)|yes,? (?:please|use (?:it|this|that|the corrected (?:one|version))|do it|go ahead)|use the corrected (?:one|version|text))$/i;
const NO = /^(?:no|nope|n|no,? thanks?|cancel|never ?mind|don'?t|stop)$/i;
const HELP =
  /^(?:help|\?+|hi|hello|hey|hi there|good (?:morning|evening)|what can you do|how does this work|what is this)$/i;
const LIST =
  /^(?:list|servers|status|(?:please )?(?:list|show)(?: me)?(?: all)?(?: of)?(?: my| the)? servers|(?:what|which)(?: mcp)?(?: servers?)? (?:do i have|are (?:there|connected|installed|set up|mine)|have i (?:got|connected))(?: connected| installed)?|what(?:'s| is) (?:connected|installed|set up))$/i;

const ABOUT_ONE: readonly (readonly ['remove' | 'test' | 'sign-in', RegExp])[] = [
  [
    'remove',
    /^(?:please |can you |could you )?(?:remove|delete|uninstall|forget|disconnect|drop|get rid of) (.+)$/i,
  ],
  [
    'test',
    /^(?:please |can you |could you )?(?:test|check|try) (.+)$|^(?:is|does) (.+?) (?:work|working|ok|okay|up|alive|connected|reachable)$|^why (?:is|does|doesn'?t|isn'?t) (.+?) (?:not )?(?:work|working|connect|connecting|failing|fail)$/i,
  ],
  [
    'sign-in',
    /^(?:please )?(?:sign|log) ?(?:me )?in(?: again)?(?: to| at| with)? (.+)$|^(?:re-?)?authori[sz]e (.+)$/i,
  ],
];

const MANY = /^(?:it|this|that|them|these|those|all|everything|anything|all servers|servers)$/i;

function isName(text: string): boolean {
  return (
    text.length <= setupLimits.nameCharsMax &&
    !/:\/\/|[{}=]/.test(text) &&
    !/^(?:npx|uvx|docker|node|python3?) /i.test(text)
  );
}

function withoutArticle(text: string): string {
  return text
    .replace(/^(?:(?:from|the|my|our|all of|both)\s+)+/i, '')
    .replace(/\s+(?:mcp )?(?:server|connection|integration)$/i, '')
    .replaceAll(/^["'“”`]|["'“”`]$/g, '')
    .trim();
}

function choiceOf(line: string, choices: readonly string[]): Intent | undefined {
  const plain = plainName(line);
  const lower = line.toLowerCase();
  const exact = choices.find((name) => name.toLowerCase() === lower || plainName(name) === plain);
  if (exact !== undefined) return { kind: 'choose', name: exact };
  const place = PLACE.exec(
    line.replace(/^(?:i(?:'d| would)? (?:take|like|want|choose)|use|take|pick|choose|add)\s+/i, ''),
  );
  if (!place) return undefined;
  const [, digits, word = ''] = place;
  const ordinal = word.toLowerCase() === 'last' ? choices.length - 1 : ORDINALS.indexOf(word.toLowerCase());
  const name = choices[digits === undefined ? ordinal : Number(digits) - 1];
  return name === undefined ? { kind: 'choose-none' } : { kind: 'choose', name };
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const PLACE = new RegExp(
  `^(?:the\\s+)?(?:(?:number |no\\.? ?|#)?(\\d{1,2})(?:st|nd|rd|th)?|(${ORDINALS.join('|')}|last))(?:\\s+(?:one|server|option))?(?:,?\\s+please)?$`,
  'i',
);
