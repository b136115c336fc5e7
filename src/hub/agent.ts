import type { Implementations } from './operations/table.ts';

/** What talks to models on behalf of one face of the hub: chat, and setting up servers. */
export type Agent = Pick<Implementations, 'chat' | 'configuring'>;
