import type { Cancel, Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { AttachedHost } from '../hub/hub.ts';
import type { GatewayLimits } from './limits.ts';

interface Slot {
  readonly host: Promise<AttachedHost>;
  /** Known once it is attached. */
  id: string | undefined;
  calls: number;
  /** A listener keeps a slot, but calls may use it meanwhile. */
  listeners: number;
  lastUsed: number;
}

/** Whose slots they are. */
export interface SlotOwner {
  readonly who: string;
  /** Aborts when the host has gone, where that can be known: its slots go with it. */
  readonly gone?: AbortSignal | undefined;
  readonly attach: () => Promise<AttachedHost>;
}

export interface Lease {
  readonly host: string;
  release(): void;
}

/**
 * A modern host has no session, but what a server must not share is kept for somebody. Each call
 * takes a free slot of its host, so that a question of such a server belongs to one call only; calls
 * one after the other take the same slot, and find the server as they left it.
 */
export class Leases {
  readonly #clock: Clock;
  readonly #limits: GatewayLimits;
  readonly #slots = new Map<string, Slot[]>();
  readonly #stop: Cancel;

  constructor(options: { readonly clock: Clock; readonly limits: GatewayLimits }) {
    this.#clock = options.clock;
    this.#limits = options.limits;
    this.#stop = options.clock.every(options.limits.modernHostIdleMs / 4, () => this.#sweep());
  }

  /** A promise only when a slot has to be made. `alone`: no other call uses it meanwhile. */
  take(owner: SlotOwner, alone: boolean): Lease | Promise<Lease> {
    const slots = this.#slotsOf(owner);
    const free = alone ? slots.find(({ calls }) => calls === 0) : slots[0];
    const slot =
      free ?? (slots.length < this.#limits.modernHostLeasesMax ? this.#make(slots, owner) : leastBusy(slots));
    slot.calls += 1;
    if (slot.id !== undefined) return this.#lease(slot, 'calls', slot.id);
    return this.#attached(slot, 'calls');
  }

  /** The slot that calls take first, for somebody who only listens. */
  stay(owner: SlotOwner): Promise<Lease> {
    const slots = this.#slotsOf(owner);
    const slot = slots[0] ?? this.#make(slots, owner);
    slot.listeners += 1;
    return this.#attached(slot, 'listeners');
  }

  /** Owners are named by their open scope first, which is named by its principal. */
  endHost(principal: string): void {
    for (const [who, slots] of this.#slots) {
      if (!who.startsWith(`${principal}\n`)) continue;
      this.#slots.delete(who);
      for (const slot of slots) end(slot);
    }
  }

  async close(): Promise<void> {
    this.#stop();
    const slots = [...this.#slots.values()].flat();
    this.#slots.clear();
    await Promise.allSettled(slots.map(async ({ host }) => (await host).close()));
  }

  #slotsOf({ who, gone }: SlotOwner): Slot[] {
    const known = this.#slots.get(who);
    if (known) return known;
    const slots: Slot[] = [];
    this.#slots.set(who, slots);
    const leave = (): void => {
      if (this.#slots.get(who) === slots) this.#slots.delete(who);
      for (const slot of slots) end(slot);
    };
    gone?.addEventListener('abort', leave, { once: true });
    return slots;
  }

  async #attached(slot: Slot, as: 'calls' | 'listeners'): Promise<Lease> {
    const { id } = await slot.host;
    slot.id = id;
    return this.#lease(slot, as, id);
  }

  #lease(slot: Slot, as: 'calls' | 'listeners', host: string): Lease {
    return {
      host,
      release: () => {
        slot[as] -= 1;
        slot.lastUsed = this.#clock.monotonic();
      },
    };
  }

  #make(slots: Slot[], { attach }: SlotOwner): Slot {
    const lastUsed = this.#clock.monotonic();
    const slot: Slot = { host: attach(), id: undefined, calls: 0, listeners: 0, lastUsed };
    slots.push(slot);
    // One that could not be attached is nobody's slot: the next call tries anew.
    slot.host.then(undefined, () => slots.splice(slots.indexOf(slot), 1));
    return slot;
  }

  #sweep(): void {
    const oldest = this.#clock.monotonic() - this.#limits.modernHostIdleMs;
    for (const [who, slots] of this.#slots) {
      const kept = slots.filter((slot) => {
        if (slot.calls > 0 || slot.listeners > 0 || slot.lastUsed > oldest) return true;
        end(slot);
        return false;
      });
      if (kept.length > 0) this.#slots.set(who, kept);
      else this.#slots.delete(who);
    }
  }
}

function end({ host }: Slot): void {
  ignore(
    host.then((attached) => attached.close()),
    'a host that could not be attached needs no end',
  );
}

/** With no more slots to be had, calls share: their questions still reach the same host. */
function leastBusy(slots: readonly Slot[]): Slot {
  const [first, ...rest] = slots;
  if (!first) throw new Error('Invariant broken: there is no slot at all');
  return rest.reduce((least, slot) => (slot.calls < least.calls ? slot : least), first);
}
