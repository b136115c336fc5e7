export interface SlashWord {
  readonly word: string;
  readonly takes: string;
  readonly says: string;
}

/** What can be typed after a slash, in the order of /help. */
export const SLASH_WORDS: readonly SlashWord[] = [
  { word: '/mcp', takes: 'list | tools | add …', says: 'your servers; /mcp alone says everything it can' },
  {
    word: '/servers',
    takes: '[a,b | all]',
    says: 'which servers the next messages use; @name in one chooses for it',
  },
  { word: '/model', takes: '[name]', says: 'the models, or the one to go on with' },
  { word: '/cost', takes: '', says: 'tokens, calls and dollars, by turn and in all' },
  { word: '/save', takes: '[file]', says: 'the conversation as Markdown' },
  { word: '/retry', takes: '', says: 'send the last message again' },
  { word: '/new', takes: '', says: 'begin anew: the model forgets what was said' },
  { word: '/verbose', takes: '', says: 'show more: reasoning, results, what allowed a call' },
  { word: '/help', takes: '', says: 'this list' },
  { word: '/quit', takes: '', says: 'leave, as Ctrl-D does' },
];

/** What can follow /mcp. */
export const MCP_WORDS: readonly SlashWord[] = [
  { word: 'list', takes: '', says: 'every server and its state' },
  { word: 'tools', takes: '[server]', says: 'what can be called' },
  { word: 'refresh', takes: '[server]', says: 'read config files and running servers again' },
  { word: 'allow', takes: 'server [tool]', says: 'let a tool, or all reads of a server, run without asking' },
  { word: 'revoke', takes: 'server [tool]', says: 'take that back' },
  { word: 'add', takes: 'anything', says: 'plug in a server' },
  { word: 'remove', takes: 'server', says: 'forget a server' },
  { word: 'status', takes: '[server]', says: 'how they fare, and what needs you' },
  { word: 'doctor', takes: '[server]', says: 'find what is wrong' },
];
