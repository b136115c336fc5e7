import { wordSet } from '../word-set.ts';

/** Whether a word doesn't say which server is meant: “the”, “connect”. */
export function isAboutRequest(word: string): boolean {
  return LITTLE.has(word) || ABOUT.has(word);
}

/** Little words, and words to an assistant; English and German. */
export const LITTLE: ReadonlySet<string> = wordSet(
  'a an the this that these those it its they them their there here we us our you your i me my mine who which ' +
    'what when where why how am is are was were be been do does did have has had will would shall should can ' +
    'could may might must and or but not no so if then than as of at by for from in into on onto to with about ' +
    'all also any some every more most much many only other out over own same such too up very while just like ' +
    'want wants wanted need needs please help let lets tell give gives thanks hello hi hey would could able ' +
    'mcp server servers connect connection connected connecting add install setup set hook link enable start plug ' +
    'access use using get something anything things stuff someone thing ' +
    'ein eine einen einem einer der die das den dem des mein meine meinen meinem meiner unser unsere unseren ' +
    'ich du er sie es wir ihr mir mich uns und oder nicht kein keine mit von vom zu zum zur im in ins an am auf aus ' +
    'bei nach für fur über uber ist sind war hat habe haben will möchte mochte kann bitte brauche verbinde verbinden ' +
    'zugriff auf um nutzen',
);

/** What is to be done with it: many servers do these. */
export const ABOUT: ReadonlySet<string> = wordSet(
  'read reading see show list find look looking open make making create creating write writing edit editing send ' +
    'sending check checking manage managing work working talk talking ask asking take taking put search searching ' +
    'app application account accounts tool tools integration online new latest company companies team teams work ' +
    'lesen zeigen suchen finden senden schreiben öffnen offnen bearbeiten firma text data between download today tomorrow',
);
