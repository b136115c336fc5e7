import { limits } from '../../base/limits.ts';
import type { FieldValue } from '../../servers/plans/values.ts';
import type { SearchOutcome } from '../../servers/registry/search.ts';
import type {
  FeaturedCatalog,
  ImportCheck,
  ImportOutcome,
  ImportPreview,
  InstallOutcome,
  InstallProgress,
  OfferedPlan,
  PlanOffer,
  Recognized,
  RegistryView,
  SyncAnswers,
  TryOutcome,
} from '../plans.ts';
import { byShortName, flag, madeId, serverId, shortName, text, toolRef, url } from './fields.ts';
import { member, owner, progress, type, type Zod } from './operation.ts';

const names = (z: Zod) => z.array(shortName(z)).max(100);

export const imports = {
  scan: owner(
    'POST /v1/imports/scan',
    'Lists servers of other clients on this machine, and what an import would do.',
    {
      input: (z) => ({ clients: names(z).exactOptional() }),
      output: type<ImportPreview>(),
    },
  ),
  /** Saves the picked finds. One that fails is named, and the others are saved. */
  run: owner('POST /v1/imports', 'Imports servers of other clients; readable keys go into the vault.', {
    input: (z) => ({
      clients: names(z).exactOptional(),
      /** Finds by their `ref`; one whose fingerprint is no longer as it was shown is not imported. */
      pick: z.union([
        z.literal('all'),
        z
          .array(z.strictObject({ ref: toolRef(z), fingerprint: z.string().max(128).exactOptional() }))
          .max(1_000),
      ]),
      /** Leave the client's file as the only source of truth. */
      follow: flag(z),
    }),
    output: type<ImportOutcome>(),
  }),
  /** Starts nothing itself: servers are looked at in the background after an import. */
  checklist: owner(
    'POST /v1/imports/checklist',
    'Waits until imported servers were checked, and returns what each still needs.',
    {
      input: (z) => ({
        ids: z.array(serverId(z)).max(1_000),
        waitMs: z.number().int().nonnegative().max(limits.firstLookMs).exactOptional(),
      }),
      output: type<readonly ImportCheck[]>(),
      progress: progress<{ readonly done: number; readonly total: number }>(),
    },
  ),
};

export const registries = {
  list: member('GET /v1/registries', 'The registries that are searched.', {
    output: type<readonly RegistryView[]>(),
  }),
  featured: member(
    'GET /v1/registries/featured',
    'Well-known servers by category, known without asking anybody.',
    {
      output: type<FeaturedCatalog>(),
    },
  ),
  /** Adds one that speaks the official API, or switches a built-in one on or off. */
  save: owner('PUT /v1/registries/:name', 'Adds a registry, or switches one on or off.', {
    input: (z) => ({
      name: shortName(z),
      /** Needed for one that is not known yet. */
      url: url(z).exactOptional(),
      enabled: flag(z),
    }),
    output: type<readonly RegistryView[]>(),
  }),
  remove: owner('DELETE /v1/registries/:name', 'Forgets a registry that was added.', {
    input: byShortName,
    output: type<readonly RegistryView[]>(),
  }),
  search: member('POST /v1/registries/search', 'Searches all registries at once; one that fails is named.', {
    input: (z) => ({
      query: z.string().max(400),
      registries: names(z).exactOptional(),
      offline: flag(z),
      limit: z.number().int().positive().exactOptional(),
    }),
    output: type<SearchOutcome>(),
    progress: progress(),
  }),
  sync: member('POST /v1/registries/sync', 'Copies registries into the local index.', {
    input: (z) => ({ registries: names(z).exactOptional() }),
    output: type<SyncAnswers>(),
    progress: progress(),
  }),
};

const plan = madeId;
const texts = (z: Zod) => z.record(z.string().max(512), z.string().max(65_536));
const fieldValue = (z: Zod): ReturnType<typeof z.custom<FieldValue>> =>
  z.union([
    z.string().max(65_536),
    z.number(),
    z.boolean(),
    z.array(z.string().max(65_536)).max(100),
  ]) as never; // a union of exactly these types
const installRequest = (z: Zod) => ({
  plan: plan(z),
  id: serverId(z).exactOptional(),
  values: z.record(z.string().max(512), fieldValue(z)).exactOptional(),
  env: texts(z).exactOptional(),
  headers: texts(z).exactOptional(),
  test: flag(z),
  replace: flag(z),
});

export const plans = {
  recognize: member('POST /v1/plans/recognize', 'What a text is, as far as reading it tells.', {
    input: (z) => ({ text: text(z) }),
    output: type<Recognized>(),
  }),
  readImage: member(
    'POST /v1/plans/read-image',
    'The text on a picture of a configuration (PNG or JPEG, in base64).',
    {
      input: (z) => ({
        image: z
          .string()
          .min(1)
          .max(
            limits.apiImageBytesMax,
            'the picture is too large; cut it down to the part that shows the config',
          ),
      }),
      output: type<{ readonly text: string }>(),
      progress: progress(),
      bodyBytesMax: limits.apiImageBodyBytesMax,
    },
  ),
  make: owner('POST /v1/plans', 'Reads a paste and returns what would be installed, run or contacted.', {
    input: (z) => ({
      text: text(z),
      /** One server as it was typed, in place of a text: a name with a command or an address. */
      entry: z
        .strictObject({
          name: serverId(z),
          transport: z.enum(['stdio', 'http', 'sse', 'ws']),
          command: z.string().max(4_096).exactOptional(),
          args: z.array(z.string().max(65_536)).max(1_000).exactOptional(),
          env: texts(z).exactOptional(),
          cwd: z.string().max(4_096).exactOptional(),
          url: z.string().max(8_192).exactOptional(),
          headers: texts(z).exactOptional(),
        })
        .exactOptional(),
      /** `file`: it may be someone else's, so dangerous variables are refused. */
      origin: z.enum(['paste', 'file']).exactOptional(),
      /** Of the file: where relative paths in it start. Absent: the caller's own. */
      folder: text(z).exactOptional(),
      /** Decline everything that would run on the hub's machine. */
      remoteOnly: flag(z),
      offline: flag(z),
    }),
    output: type<PlanOffer>(),
    progress: progress(),
  }),
  unpack: owner(
    'POST /v1/plans/:plan/unpack',
    'Downloads a bundle, checks its sum and answers with the plan of what it runs.',
    { input: (z) => ({ plan: plan(z) }), output: type<OfferedPlan>(), progress: progress() },
  ),
  /** Exactly the plan that was shown: keys into the vault, a try, then it is saved. */
  install: owner('POST /v1/plans/:plan/install', 'Carries out a plan that was shown.', {
    input: installRequest,
    output: type<InstallOutcome>(),
    progress: progress<InstallProgress>(),
  }),
  try: owner('POST /v1/plans/:plan/try', 'Connects as an installation would, and saves nothing.', {
    input: installRequest,
    output: type<TryOutcome>(),
    progress: progress<InstallProgress>(),
  }),
};
