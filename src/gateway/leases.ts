import type { Cancel, Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { AttachedHost } from '../hub/hub.ts';
import type { GatewayLimits } from './limits.ts';

interface Slot {
  readonly host: Promise<AttachedHost>;
  id: string | undefined;
  calls: number;
  /** Keeps the slot; calls may still use it. */
  listeners: number;
  lastUsed: number;
}

export interface SlotOwner {
  readonly who: string;
  /** Aborts when the host has gone: its slots go too. */
  readonly gone?: AbortSignal | undefined;
  readonly attach: () => Promise<AttachedHost>;
}

export interface Lease {
  readonly host: string;
  release(): void;
}

/** Unshared servers need an owner: each call takes a free slot, so that a question belongs to one call. */
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

  /** A promise only if a slot must be made. `alone`: not shared with another call. */
  take(owner: SlotOwner, alone: boolean): Lease | Promise<Lease> {
    const slots = this.#slotsOf(owner);
    const free = alone ? slots.find(({ calls }) => calls === 0) : slots[0];
    const slot =
      free ?? (slots.length < this.#limits.modernHostLeasesMax ? this.#make(slots, owner) : leastBusy(slots));
    slot.calls += 1;
    if (slot.id !== undefined) return this.#lease(slot, 'calls', slot.id);
    return this.#attached(slot, 'calls');
  }

  /** For a listener: the slot that calls take first. */
  stay(owner: SlotOwner): Promise<Lease> {
    const slots = this.#slotsOf(owner);
    const slot = slots[0] ?? this.#make(slots, owner);
    slot.listeners += 1;
    return this.#attached(slot, 'listeners');
  }

  /** `who` starts with the open scope's key, which starts with the principal. */
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
    // A failed attach is retried by the next call.
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
  const closed = host.then((attached) => attached.close());
  ignore(closed, 'a host that could not be attached needs no end');
}

/** At the limit, calls share slots: questions still reach the same host. */
function leastBusy(slots: readonly Slot[]): Slot {
  const [first, ...rest] = slots;
  if (!first) throw new Error('Invariant broken: there is no slot at all');
  return rest.reduce((least, slot) => (slot.calls < least.calls ? slot : least), first);
}
