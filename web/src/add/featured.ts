/** Well-known servers, a few of each sort, by words that the hub knows without asking anybody. */
export const FEATURED: readonly { readonly name: string; readonly words: string }[] = [
  { name: 'Notion', words: 'notion' },
  { name: 'Linear', words: 'linear' },
  { name: 'GitHub', words: 'github' },
  { name: 'Slack', words: 'slack' },
  { name: 'Figma', words: 'figma' },
  { name: 'Sentry', words: 'sentry' },
  { name: 'Stripe', words: 'stripe' },
  { name: 'Files', words: 'filesystem' },
  { name: 'Memory', words: 'memory' },
  { name: 'Context7', words: 'context7' },
];
