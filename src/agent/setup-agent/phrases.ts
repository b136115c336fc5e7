import { isAlike, plainWord, type Word } from './words.ts';

/** What one can be asked to do with servers, and what one can say to a question. */
export type Wish =
  | 'add'
  | 'enable'
  | 'disable'
  | 'remove'
  | 'test'
  | 'explain'
  | 'sign-in'
  | 'give-key'
  | 'list'
  | 'help'
  | 'undo';

/** A wish where it stands in a message. */
export interface Said {
  readonly wish: Wish;
  /** The first and the last word of the phrase. */
  readonly from: number;
  readonly to: number;
  /** Which words make it up: those in its gap are not among them. */
  readonly own: readonly number[];
}

/**
 * All wishes in the words, in their order. Longer phrases win over shorter ones, and what says something only
 * by the way (“I never use it”) counts only where nothing else says what to do.
 */
export function wishesIn(words: readonly Word[], names: ReadonlySet<number> = new Set()): readonly Said[] {
  for (const phrases of [STRONG, WEAK]) {
    const found = matches(words, phrases);
    // A server may be called “list”: in “remove list” it is the name.
    const verbs = found.filter(({ own }) => !own.some((index) => names.has(index)));
    if (found.length > 0)
      return best(verbs.length > 0 ? verbs : found).filter(
        (said, _, all) => !isTold(words, said) && !isAskedWhy(words, said, all),
      );
  }
  return [];
}

/** “Why did weather stop”: the rest of the question is what happened. */
function isAskedWhy(words: readonly Word[], { from }: Said, all: readonly Said[]): boolean {
  const why = all.find((each) => each.wish === 'explain' && WHY.has(words[each.from]?.text ?? ''));
  if (!why || from <= why.from) return false;
  return !words
    .slice(why.to + 1, from)
    .some(({ text }) => text === 'and' || text === 'und' || text === 'then');
}

const WHY: ReadonlySet<string> = new Set('why warum wieso weshalb'.split(' '));

/** “I removed it by accident” tells what was done; “I want it removed” asks for it. */
function isTold(words: readonly Word[], { own, from }: Said): boolean {
  const [first, ...others] = own;
  const word = words[first ?? from]?.text ?? '';
  if (others.length > 0 || VOCABULARY.has(word) || !word.endsWith('ed')) return false;
  return SUBJECTS.has(words[from - 1]?.text ?? '');
}

const SUBJECTS: ReadonlySet<string> = new Set('i you we he she they someone somebody just ive'.split(' '));

/** Whether something is asked for outright, not only by the way. */
export function asksOutright(words: readonly Word[]): boolean {
  return matches(words, STRONG).length > 0;
}

/** Words that are parts of phrases are no names, however near they come to one. */
export function isPhraseWord(word: string): boolean {
  return VOCABULARY.has(word);
}

interface Phrase {
  readonly wish: Wish;
  readonly words: readonly string[];
}

interface Match extends Said {
  readonly exact: boolean;
}

function matches(words: readonly Word[], phrases: readonly Phrase[]): readonly Match[] {
  return words.flatMap((_, from) =>
    phrases.flatMap((phrase) => {
      const own = matchAt(words, from, phrase.words);
      if (!own) return [];
      const exact = own.every((index) => VOCABULARY.has(words[index]?.text ?? ''));
      return [{ wish: phrase.wish, from, to: own.at(-1) ?? from, own, exact }];
    }),
  );
}

function matchAt(words: readonly Word[], from: number, phrase: readonly string[]): number[] | undefined {
  const own: number[] = [];
  let at = from;
  let gap = 0;
  for (const part of phrase) {
    if (part === GAP) {
      gap = GAP_WORDS_MAX;
      continue;
    }
    const found = firstFrom(words, part, at, gap);
    if (found === undefined) return undefined;
    own.push(found);
    at = found + 1;
    gap = 0;
  }
  return own;
}

function firstFrom(words: readonly Word[], part: string, at: number, gap: number): number | undefined {
  for (let index = at; index <= at + gap && index < words.length; index += 1) {
    const word = words[index];
    if (word && isSaid(word.text, part)) return index;
  }
  return undefined;
}

/** A known word is not a slip of another one: “list” is not “last”. */
function isSaid(said: string, part: string): boolean {
  return said === part || (!VOCABULARY.has(said) && !EVERYDAY.has(said) && mayBeSlip(said, part));
}

/** Fingers rarely slip on the first letter, unless they swap it: “mails” is not “fails”. */
function mayBeSlip(said: string, meant: string): boolean {
  const isSwapped = said[0] === meant[1] && said[1] === meant[0];
  return (said[0] === meant[0] || isSwapped) && isAlike(said, meant);
}

function best(found: readonly Match[]): readonly Said[] {
  const taken = new Set<number>();
  return found
    .toSorted(
      (a, b) =>
        Number(b.exact) - Number(a.exact) ||
        b.own.length - a.own.length ||
        a.to - a.from - (b.to - b.from) ||
        a.from - b.from,
    )
    .filter(({ own }) => {
      if (own.some((index) => taken.has(index))) return false;
      for (const index of own) taken.add(index);
      return true;
    })
    .toSorted((a, b) => a.from - b.from);
}

const GAP = '…';
const GAP_WORDS_MAX = 5;

/** `…` stands for up to a few words: “turn it off”, “schalte Notion bitte aus”. */
const STRONG = phrasesOf({
  add: `connect, connect to, connect me to, reconnect to, add, install, plug in, plug … in, set up, setup, set … up,
    hook up, hook … up, hook me up with, link, get me, give me access to, bring in, start using, integrate,
    get … in here, sync, sync with, is there a, is there something for, do you support, do you have, does … work with,
    give … access to, gibt es, unterstutzt, verbinde, verbinden, hinzufugen, fuge … hinzu, fug … hinzu, installiere, installieren, einrichten,
    richte … ein, richt … ein, ajoute, ajouter, connecte, connecter, relier, installe, installer, anade, agrega, conecta, conectar,
    instala, aggiungi, collega, collegare, voeg … toe, einbinden, anbinden, anschliessen, ich brauche, ich mochte, ich will`,
  enable: `make … active, bring … online, back online, keep … on, keep … running, allow … again, have … back, get … back, put … back on, should be on, can be on, spin up, fire up, activa, activar, reactive, reactiver, attiva,
    zet … aan, unmute, unblock, get … running, get … going, back on, enable, re enable, reenable, activate, reactivate, turn on, turn … on, turn … back on, switch on, switch … on,
    switch … back on, resume, unpause, wake up, wake … up, bring … back online, start, use … again, need … again,
    want … again, einschalten, anschalten, aktivieren, aktiviere, schalte … ein, schalt … ein, schalte … an,
    schalt … an, mach … an, mache … an, wieder an, stell … an, starte`,
  disable: `not to have … on, not have … on, rather not have, keep … off, keep … away, stay off, leave … out, hide, no more, a break, a rest, should not be used, should not be read, should not be seen, should not be touched,
    shouldnt be used, shouldnt be read, shouldnt be seen, shouldnt be touched, cut off, cut … off, put … away, desactiva, desactivar, desactive, desactiver, apaga, apagar, disattiva, spegni, zet … uit, should be off, can be off,
    stop … for now, take a break from, give … a rest, dont let … use, leave … alone, left … alone, keep … out of, dont touch, stay away from, stop … from using, ignore, silence, freeze,
    lass … weg, lass … in ruhe, disable, deactivate, turn off, turn … off, turn of, turn … of, switch off, switch … off, pause, mute, suspend,
    hold back, shut off, shut … off, shut down, shut … down, take … offline, stop using, stop, put … on hold,
    put … to sleep, ausschalten, abschalten, deaktivieren, deaktiviere, schalte … aus, schalt … aus, schalte … ab,
    schalt … ab, mach … aus, mache … aus, stell … ab, pausiere, pausieren, stoppe, stopp`,
  remove: `cancel, want … gone, make … disappear, say goodbye to, part with, get … off, no use for, can go, has to go, must go, kill, kill off, bin, axe, nuke, eliminate, take down, get … out, rid of, supprime, supprimer,
    enleve, enlever, elimina, eliminar, borra, borrar, quita, quitar, rimuovi, rimuovere, verwijder, verwijderen, rauswerfen, rausschmeissen, wegwerfen,
    muss weg, soll weg, take … off, dump, ditch, trash, scrap, done with, finished with, no longer use, weg mit, weg damit, raus mit, kann weg,
    brauche … nicht mehr, remove, delete, uninstall, erase, forget, drop, disconnect, disconnect from, unlink, unplug, get rid of,
    throw out, throw … out, throw away, throw … away, kick out, kick … out, clear out, clean out, wipe, take out,
    take … out, take … away, dont need … anymore, dont need … any more, no longer need, losche, loschen, losch,
    entferne, entfernen, deinstalliere, deinstallieren, wirf … raus, schmeiss … raus, trenne, trennen`,
  test: `see whether, whether … works, whether … answers, still able to, can you still, do you still, you still see, run a test, test run, double check, health check, am i connected to, are we connected to, am i still connected to, is … reachable, is … responding, is … still there, are … fine, are … ok, are … okay,
    are … alright, are … up, are … working, is … alright, still there, still alive, lauft … noch, laufen … noch, erreichbar, geht … wieder,
    can you see if, give … a try, give … a go, have a look at, ping, is … fine, is … running, can you reach, make sure … works, see if … works, hows … doing, how is … doing, klappt,
    geht … noch, test, check, check if, check whether, verify, try out, try … out, try, ping, does … work, is … working, does … still work,
    is … still working, is … up, is … ok, is … okay, is … alive, is … connected, is … online, still works,
    still connected, still working, teste, testen, prufe, prufen, pruf, uberprufe, probiere … aus, funktioniert`,
  explain: `a warning, an error, error message, red dot, why did, why was, why are, acts up, plays up, goes wrong, went wrong, not responding, doesnt respond, no response, nothing happens, gives me nothing, what does … mean, times out, timed out,
    klappt nicht, lauft nicht, spinnt, was bedeutet, why, why is, why isnt, why does, why doesnt, why wont, why cant, whats wrong, what is wrong, whats wrong with, wrong with,
    whats the matter with, whats up with, what happened to, what happened with, whats happening with, is broken, broken,
    isnt working, is not working, not working, doesnt work, does not work, dont work, didnt work, wont work, wont start,
    doesnt start, wont connect, cant connect, doesnt connect, stopped working, quit working, keeps failing, keep failing,
    keeps crashing, crashes, crashed, failing, fails, failed, error, errors, problem with, trouble with, issue with,
    explain, how come, having trouble, acting up, warum, wieso, weshalb, was ist mit … los, was ist los mit, kaputt,
    geht nicht, geht … nicht, geht … nicht mehr, funktioniert nicht, funktioniert … nicht, fehler, problem mit`,
  'sign-in': `ran out, session … ended, session … over, sign into, signed out of, logged out of, log out and, login again, other account, second account, log back in, sign back in, session expired, logged me out, kicked me out, ausgeloggt, abgemeldet, sign in, sign in to, sign me in, sign … in, log in, log in to, log into, log me in, log me into, log … in, login,
    login to, authorize, reauthorize, re authorize, authorise, authenticate, reauthenticate, re authenticate, logged out,
    signed out, anmelden, melde … an, meld … an, einloggen, logge … ein, log … ein`,
  'give-key': `change … key, update … key, replace … key, change … token, update … token, replace … token, key of, token of, key expired, token expired, password expired, key … expired, token … expired, key is wrong, token is wrong, wrong key, wrong token, put … key, put … token, put … password, enter … key, enter … token, enter … password, add … key, paste … key,
    use this key, use this token, the password is, my password for, password changed, key changed, token changed, new credentials, got the key, got a key, have the key, have a key,
    change my password, new key, new api key, new token, new password, another key, different key, my key, my api key, my token,
    change the key, change key, update the key, replace the key, rotate the key, give you the key, give you a key,
    enter a key, enter the key, set the key, api key for, key for, token for, change the token, update the token,
    neuer schlussel, neuen schlussel, neuer key, neuen key, mein schlussel, mein key, neues token`,
  list: `what is hooked up, whats hooked up, show me what is, show what is, tell me what, do i have, do i already have, did i already, have i already, which … can you see, what … can you see, which … can you use, what … can you use, what … connected to, what do you have, what have you got,
    whats in here, was ist … verbunden, was … verbunden, welche … verbunden, was … installiert, welche … installiert, que tengo, which … on, which … off, which … enabled, which … active, which … running, which … connected, how many, show everything, what … installed, which … installed, what i have, what … connected,
    show me everything, my connections, my integrations, zeig … alles, was lauft, list, show my servers, show … servers, show … list, the list, list servers, list … servers, my servers, what do i have,
    which … do i have, which … have i, what have i, what … do i have, whats connected, what is connected, whats installed,
    what is installed, whats set up, whats running, what is running, whats on, which ones are, which ones do, which are on,
    which are off, which servers, what servers, status, overview, everything i have, what am i connected to,
    zeig … server, zeige … server, welche server, was habe ich, was ist verbunden, liste, ubersicht`,
  help: `what should i type, what should i say, what do i type, what do i do, help me get, help me start, explain what you, what you do, what do you do, what are you for, how this works, explain this, no idea, no clue, dont know how, dont know what to do, dont get it, how do i do this, how do i do that, how does it work, what is this page,
    whats this, what is this for, keine ahnung, was soll ich, weiss nicht wie, what should i do, im lost, i dont understand, what are my options, wie geht das, help, help me, what can you do, what can i do, what can i say, how does this work, how do i use this, what is this,
    who are you, what are you, how do i start, where do i start, get started, hilfe, hilf mir, was kannst du`,
  undo: `ctrl z, cmd z, did not mean, not mean to, wollte ich nicht, wollte … nicht, wollte das nicht, everything back, the way it was, like it was, how it was, wie vorher, by accident, by mistake, accidentally, versehentlich, aus versehen, not what i meant, not what i wanted, annule, annuler, deshacer, i didnt mean, didnt want that, scratch that, das war falsch, war ein fehler, undo everything, undo, undo that, undo it, undo this, revert, revert that, roll back, roll … back, take that back, take it back,
    take … back, put it back, put that back, put … back, bring … back, reverse that, restore, that was wrong,
    that was a mistake, thats not what i wanted, go back, change it back, as it was before, ruckgangig, mach … ruckgangig,
    zuruck, zurucknehmen, nimm … zuruck`,
});

const WEAK = phrasesOf({
  add: `use, using, want, need, like, love, see, read, access, access to, look in, look into, talk to, work with, work on, get,
    open, have, brauche, mochte, nutzen, benutzen, verwenden`,
  disable: `without, block, never use, dont want … to use, dont want … to see, dont want … to read, shouldnt use, should not use, dont use, dont … use, do not use, do not … use, not use, rest from, break from, quiet, nicht nutzen`,
  remove: `dont need, do not need, dont want, do not want, brauche … nicht mehr, brauche ich nicht mehr`,
  test: `works, working, funktioniert`,
  explain: `weird, strange, stuck, slow, down, dead, hangs, hanging, freezes, stopped, red, complains, complaining, unavailable,
    timeout, any idea, hangt`,
  'sign-in': `expired`,
  undo: `oops, mistake`,
});

function phrasesOf(lists: Readonly<Partial<Record<Wish, string>>>): readonly Phrase[] {
  // The keys are the wishes; Object.entries only forgets it.
  return (Object.entries(lists) as readonly (readonly [Wish, string])[]).flatMap(([wish, list]) =>
    list.split(',').map((phrase) => ({ wish, words: phrase.trim().split(/\s+/).map(plainPart) })),
  );
}

function plainPart(part: string): string {
  return part === GAP ? GAP : plainWord(part);
}

const VOCABULARY: ReadonlySet<string> = new Set(
  [...STRONG, ...WEAK].flatMap(({ words }) => words.filter((word) => word !== GAP)),
);

/** Common words that are one letter away from a word above. */
const EVERYDAY: ReadonlySet<string> = new Set(
  `text rest best last lost late post past chick check shop step state store star link like line live life mine
  lists tests texts next then that this there these those them they their here hear her our out one once only
  on off of or for from form firm with within both bath path past pain plan plant place peace piece price
  stock stuck strip stripe story start smart sort short shirt shot shut ship drive driver drop drip error mirror
  used user uses needs needed seed seen sees head load loan lead leads long login logic begin again
  while white write wrote whole hole role rule rules tool tools will well wall ways away data date dates
  more move mode model most must just same some come home time times name names game games note notes
  work word words world wort worth`.split(/\s+/),
);
