import { type CallbackListener, listenForCallback, type ListenOptions } from './callback-listener.ts';

/** Where browsers come back to after a sign-in. */
export interface Callbacks {
  listen(where: ListenOptions): Promise<CallbackListener>;
}

/** Only a browser of this machine comes back to it. */
export const loopbackCallbacks: Callbacks = { listen: listenForCallback };
