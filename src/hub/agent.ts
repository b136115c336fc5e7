import type { ChatApi } from './chatting.ts';
import type { ConfiguringApi } from './configuring.ts';

/** What talks to models on behalf of one face of the hub: chat, and setting up servers. */
export interface Agent extends ChatApi {
  readonly configuring: ConfiguringApi;
}
