/** What people have in the requests below. */
export const ownServers = [
  { id: 'github', name: 'GitHub', enabled: true },
  { id: 'notion', name: 'Notion', enabled: true },
  { id: 'linear', name: 'Linear', enabled: false },
  { id: 'weather', name: 'weather', enabled: true },
  { id: 'slack-work', name: 'Slack (work)', enabled: true },
  { id: 'files', name: 'files', enabled: true },
] as const;

/** A request and what is to be understood: each wish with what it is about; a paste is read elsewhere. */
export interface SetupRequest {
  readonly says: string;
  readonly means: readonly (readonly [intent: string, ...targets: readonly string[]])[];
  /** What was asked or spoken of just before. */
  readonly after?: { readonly about?: readonly string[]; readonly asked?: 'remove' | 'key' | 'install' };
}

/** A key such as people paste: long, with digits. */
const KEY = 'sk-live-9f8e7d6c5b4a39281706';

/** Sixty requests as people who are not developers write them. Written before the code that reads them. */
export const setupRequests: readonly SetupRequest[] = [
  // Adding: direct, polite, indirect, misspelt, two at once.
  { says: 'connect me to stripe', means: [['add', 'stripe']] },
  { says: 'Could you please hook up my Sentry account?', means: [['add', 'sentry']] },
  { says: 'connect figma and asana', means: [['add', 'figma', 'asana']] },
  { says: "I'd love for the assistant to see my google calendar", means: [['add', 'google-calendar']] },
  { says: 'we keep all our tickets in zendesk, can it look in there?', means: [['add', 'zendesk']] },
  { says: 'conect to hubspott pls', means: [['add', 'hubspot']] },
  { says: 'Is it possible to use Airtable with this?', means: [['add', 'airtable']] },
  { says: 'stripe', means: [['add', 'stripe']] },
  { says: 'set up playwright for me so it can click around on websites', means: [['add', 'playwright']] },
  { says: 'Ich möchte Todoist verbinden', means: [['add', 'todoist']] },
  { says: 'kannst du bitte Figma einrichten?', means: [['add', 'figma']] },
  { says: 'add https://mcp.acme.example/mcp', means: [['add', '(paste)']] },
  {
    says: 'my colleague sent me this, please add it {"mcpServers":{"crm":{"url":"https://crm.acme.example/mcp"}}} thanks!',
    means: [['add', '(paste)']],
  },
  { says: 'npx -y @acme/mcp-server-invoices', means: [['add', '(paste)']] },
  // Turning off and on.
  { says: 'turn off notion', means: [['disable', 'notion']] },
  { says: 'please switch notion off for now', means: [['disable', 'notion']] },
  { says: 'can you pause slack-work until monday', means: [['disable', 'slack-work']] },
  { says: 'disable github and weather', means: [['disable', 'github', 'weather']] },
  { says: "I don't want it to use notion anymore today", means: [['disable', 'notion']] },
  { says: 'trun of the wether thing', means: [['disable', 'weather']] },
  { says: 'Schalte Notion bitte aus', means: [['disable', 'notion']] },
  { says: 'notion deaktivieren', means: [['disable', 'notion']] },
  { says: 'turn it off again', after: { about: ['linear'] }, means: [['disable', 'linear']] },
  { says: 'turn linear back on', means: [['enable', 'linear']] },
  { says: 'I need linear again', means: [['enable', 'linear']] },
  { says: 'enable Linear please', means: [['enable', 'linear']] },
  { says: 'mach linear wieder an', means: [['enable', 'linear']] },
  {
    says: 'turn off notion and turn on linear',
    means: [
      ['disable', 'notion'],
      ['enable', 'linear'],
    ],
  },
  // Removing.
  { says: 'remove weather', means: [['remove', 'weather']] },
  { says: 'please get rid of the github connection, I never use it', means: [['remove', 'github']] },
  { says: 'delete everything', means: [['remove', 'all']] },
  { says: 'uninstal notoin', means: [['remove', 'notion']] },
  { says: 'throw out slack and files', means: [['remove', 'slack-work', 'files']] },
  { says: 'Lösche bitte den Wetter-Server weather', means: [['remove', 'weather']] },
  {
    says: 'remove weather and connect stripe instead',
    means: [
      ['remove', 'weather'],
      ['add', 'stripe'],
    ],
  },
  { says: 'delete that one', after: { about: ['files'] }, means: [['remove', 'files']] },
  // Testing and explaining.
  { says: 'does notion work?', means: [['test', 'notion']] },
  { says: 'check if slack is still connected', means: [['test', 'slack-work']] },
  { says: 'test everything', means: [['test', 'all']] },
  { says: "why doesn't github work?", means: [['explain', 'github']] },
  { says: 'github is broken again :(', means: [['explain', 'github']] },
  { says: "what's wrong with gihtub", means: [['explain', 'github']] },
  { says: 'I keep getting an error from weather, what does it mean', means: [['explain', 'weather']] },
  { says: 'Warum geht GitHub nicht?', means: [['explain', 'github']] },
  { says: 'why is it red?', after: { about: ['github'] }, means: [['explain', 'github']] },
  // Signing in and keys.
  { says: 'log me in to notion', means: [['sign-in', 'notion']] },
  { says: 'notion says I am logged out, sign me in again', means: [['sign-in', 'notion']] },
  { says: 'bei Notion anmelden', means: [['sign-in', 'notion']] },
  { says: `here's my key: ${KEY}`, after: { asked: 'key' }, means: [['give-key']] },
  { says: KEY, after: { asked: 'key' }, means: [['give-key']] },
  { says: `the new github token is ${KEY}`, means: [['give-key', 'github']] },
  { says: 'I have a new key for weather', means: [['give-key', 'weather']] },
  // Listing, helping, undoing.
  { says: 'what do I have connected right now?', means: [['list']] },
  { says: 'show me the list', means: [['list']] },
  { says: 'Welche Server habe ich?', means: [['list']] },
  { says: 'what can you do for me?', means: [['help']] },
  { says: 'undo that', means: [['undo']] },
  { says: 'oops, that was wrong, put it back', means: [['undo']] },
  // Answers.
  { says: 'yes please, go ahead', after: { asked: 'remove' }, means: [['agree']] },
  { says: 'nah, leave it as it is', after: { asked: 'remove' }, means: [['decline']] },
];

/** Written after the code, twenty at a time: 13 of the first and 17 of the second were understood at once. */
export const laterRequests: readonly SetupRequest[] = [
  { says: 'hey, could we get Asana in here as well?', means: [['add', 'asana']] },
  { says: 'my accountant uses paypal, hook that up', means: [['add', 'paypal']] },
  { says: 'please let claude look at our gitlab', means: [['add', 'gitlab']] },
  { says: 'I would rather it left my files alone for a while', means: [['disable', 'files']] },
  { says: 'notion off', means: [['disable', 'notion']] },
  { says: 'linear on please', means: [['enable', 'linear']] },
  { says: 'can you switch everything off before my presentation', means: [['disable', 'all']] },
  { says: 'take weather off the list for good', means: [['remove', 'weather']] },
  { says: 'I no longer need github or slack', means: [['remove', 'github', 'slack-work']] },
  { says: 'entferne notion bitte', means: [['remove', 'notion']] },
  { says: 'is everything ok?', means: [['test', 'all']] },
  { says: 'slack has been weird since this morning, any idea?', means: [['explain', 'slack-work']] },
  { says: 'how come weather gives me nothing', means: [['explain', 'weather']] },
  { says: 'github asks me to log in all the time', means: [['sign-in', 'github']] },
  { says: 'the github password changed, it is now Tr0ub4dor-and-3-horses', means: [['give-key', 'github']] },
  { says: 'which of these are actually switched on?', means: [['list']] },
  { says: 'mach das bitte wieder rückgängig', means: [['undo']] },
  { says: 'sounds good, do it', after: { asked: 'install' }, means: [['agree']] },
  { says: 'hmm no, better not', after: { asked: 'remove' }, means: [['decline']] },
  {
    says: 'turn off weather, and while you are at it connect todoist',
    means: [
      ['disable', 'weather'],
      ['add', 'todoist'],
    ],
  },
  // Twenty more, after the phrases were widened.
  {
    says: 'good morning! would you mind adding webflow for our marketing team?',
    means: [['add', 'webflow']],
  },
  { says: 'supabase and vercel please', means: [['add', 'supabase', 'vercel']] },
  { says: 'can this thing read my mongodb database', means: [['add', 'mongodb']] },
  { says: 'Was ist mit Grafana, geht das auch?', means: [['add', 'grafana']] },
  { says: 'notion should be off during the holidays', means: [['disable', 'notion']] },
  { says: 'shut up github', means: [['disable', 'github']] },
  { says: 'deactivate weather and files for the moment', means: [['disable', 'weather', 'files']] },
  { says: 'we are ready to use linear again', means: [['enable', 'linear']] },
  { says: 'kannst du linear wieder einschalten', means: [['enable', 'linear']] },
  { says: "I'm done with weather, delete it", means: [['remove', 'weather']] },
  { says: 'clean up: remove files, keep the rest', means: [['remove', 'files']] },
  { says: 'does slack still answer?', means: [['test', 'slack-work']] },
  { says: 'ping notion', means: [['test', 'notion']] },
  { says: 'weather shows a red dot, what happened?', means: [['explain', 'weather']] },
  { says: 'Notion funktioniert seit gestern nicht mehr', means: [['explain', 'notion']] },
  { says: 'please log me into linear', means: [['sign-in', 'linear']] },
  { says: 'got the weather token: wthr-2f9a8c7b6d5e', means: [['give-key', 'weather']] },
  { says: 'give me an overview', means: [['list']] },
  { says: 'no wait, go back', means: [['undo']] },
  { says: 'ok perfect', after: { asked: 'install' }, means: [['agree']] },
];
