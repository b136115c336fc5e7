import { defined } from '../base/defined.ts';
import type { Manifest } from '../connections/manifest.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { featuredAt } from '../servers/featured.ts';
import type { PlanPackage } from '../servers/plans/plan.ts';
import { runningPackage } from '../servers/plans/running-package.ts';
import type { ResolvedServer } from '../servers/sources.ts';
import { aboutServer } from './about-server.ts';
import type { ServerView } from './hub.ts';
import { iconsOf } from './icons/declared.ts';
import { exposureIn, shownTarget } from './shown-endpoint.ts';

/** What a list shows of a server that lasts as long as its definition and its manifest. */
export interface LastingView {
  readonly shown: Pick<ServerView, 'transport' | 'target'> &
    Partial<Pick<ServerView, 'about' | 'featured' | 'hasIcon'>>;
  /** Set when a secret is among the arguments. */
  readonly exposure: string | undefined;
  readonly package: PlanPackage | undefined;
}

/**
 * Definitions and manifests are never changed in place, and every list asks for each server: all of this is
 * worked out once.
 */
export function lastingView(server: ResolvedServer, manifest: Manifest | undefined): LastingView {
  const { definition } = server;
  const known = lasting.get(definition);
  if (known?.manifest === manifest && known) return known.view;
  const { id, endpoint } = definition;
  const view: LastingView = {
    shown: {
      ...shownEndpoint(definition),
      ...defined({ about: aboutServer(definition, manifest), featured: featuredAt(endpoint)?.id }),
      ...(iconsOf(server, manifest).length > 0 ? { hasIcon: true } : {}),
    },
    exposure: exposureIn(id, endpoint),
    package: runningPackage(definition),
  };
  lasting.set(definition, { manifest, view });
  return view;
}

const lasting = new WeakMap<
  ServerDefinition,
  { readonly manifest: Manifest | undefined; readonly view: LastingView }
>();

export function shownEndpoint({ endpoint }: ServerDefinition): Pick<ServerView, 'transport' | 'target'> {
  return { transport: endpoint.kind, target: shownTarget(endpoint) };
}
