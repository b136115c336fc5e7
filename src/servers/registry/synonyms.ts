import { stem } from '../../base/stem.ts';

/** Stems of other words for what a word names. */
export function meaningsOf(word: string): readonly string[] {
  known ??= tableOf();
  return known.get(word) ?? known.get(stem(word)) ?? [];
}

/** Built with the first search, not at the start of the hub. */
let known: ReadonlyMap<string, readonly string[]> | undefined;

/** One thing per line. */
const SAME = `
  mail email emails inbox mailbox
  calendar schedule appointment appointments meeting meetings agenda
  file files folder folders directory
  picture pictures image images photo photos
  ticket tickets issue issues
  chat message messages messaging
  spreadsheet spreadsheets sheet sheets excel
  database databases db sql
  web internet
  search lookup google
  website websites webpage
  task tasks todo todos reminder reminders
  note notes
  map maps directions navigation
  payment payments billing
  invoice invoices bill bills
  customer customers client clients crm
  diagram diagrams flowchart chart charts
  paper papers article articles
  translate translation translator
  flight flights airline
  train trains railway
  hotel hotels accommodation
  recipe recipes cooking
  weather forecast
  music song songs playlist
  video videos
  repository repositories repo repos
  doc docs documentation
  document documents
  browser browsers
  scrape scraping crawl crawling
  bug bugs error errors
  blog blogs
  shop shops store ecommerce
  analytics statistics metrics
`;

/** German words that people say, and what they are in the table or in descriptions. */
const GERMAN = `
  kalender calendar | termin calendar | termine calendar | datei file | dateien file | ordner folder |
  suche search | suchen search | websuche search | netz web | webseite website | webseiten website |
  wetter weather | karte map | karten map | notiz note | notizen note | aufgabe task | aufgaben task |
  rechnung invoice | rechnungen invoice | bild image | bilder image | nachrichten message | nachricht message |
  datenbank database | datenbanken database | tabelle spreadsheet | tabellen spreadsheet |
  übersetzen translate | ubersetzen translate | übersetzung translate | ubersetzung translate |
  kunden customer | zahlung payment | zahlungen payment | postfach mail | mails mail | dokumente document |
  zug train | züge train | zuge train | bahn train | flug flight | flüge flight | fluge flight | rezepte recipe |
  uhrzeit time | zeit time | musik music | geld money | laden shop | fehler error | gedächtnis memory
`;

function tableOf(): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  const learn = (word: string, meanings: readonly string[]): void => {
    table.set(word, [...new Set([...(table.get(word) ?? []), ...meanings.map((each) => stem(each))])]);
  };
  for (const line of SAME.trim().split('\n')) {
    const words = line.trim().split(' ');
    for (const word of words) {
      const others = words.filter((other) => stem(other) !== stem(word));
      learn(word, others);
      learn(stem(word), others);
    }
  }
  for (const pair of GERMAN.split('|')) {
    const [word = '', meaning = ''] = pair.trim().split(' ');
    learn(word, [meaning]);
  }
  return table;
}
