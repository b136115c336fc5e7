import type { z as zod } from 'zod';
import type { Role } from '../principal.ts';

/** Given by who parses. Rows name it as a type only, so that a face can load them without zod. */
export type Zod = typeof zod;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Operation<In = unknown, Out = unknown, Options = unknown> {
  readonly summary: string;
  readonly role: Role;
  /** Absent for what cannot travel: it is there in the hub's own process only. */
  readonly route?: Route;
  /** What is taken out of secrets; default: answer and progress. Servers' answers are theirs. */
  readonly redact?: 'answer' | 'progress' | 'lists';
  readonly input: (z: Zod) => zod.ZodType;
  /** True only of what the schema takes as it is: parsing costs more than the rest of a frequent operation. */
  readonly isUsual?: (input: unknown) => boolean;
  /** Only for the type checker; never there. */
  readonly types?: { readonly input: In; readonly output: Out; readonly options: Options };
}

export type RoutedOperation<In = unknown, Out = unknown, Options = unknown> = Operation<In, Out, Options> & {
  readonly route: Route;
};

export interface Route {
  readonly method: Method;
  /** `:name` takes the input field of that name; the rest goes into the query or the body. */
  readonly path: `/${string}`;
  /** `progress`: may stream progress before its result. `events`: never ends by itself. */
  readonly stream?: 'progress' | 'events';
  /** Of its body, where it is more than others may have. */
  readonly bodyBytesMax?: number;
}

export type InputOf<Row> = Row extends Operation<infer In, infer _Out, infer _Options> ? In : never;
export type OutputOf<Row> = Row extends Operation<infer _In, infer Out, infer _Options> ? Out : never;
export type OptionsOf<Row> = Row extends Operation<infer _In, infer _Out, infer Options> ? Options : never;

/** The operations of one area as methods. Input may be left out where every field may be. */
export type Api<Rows> = {
  readonly [Name in keyof Rows]: NoFields extends InputOf<Rows[Name]>
    ? (input?: InputOf<Rows[Name]>, options?: OptionsOf<Rows[Name]>) => Promise<OutputOf<Rows[Name]>>
    : (input: InputOf<Rows[Name]>, options?: OptionsOf<Rows[Name]>) => Promise<OutputOf<Rows[Name]>>;
};

/** The same methods as they are implemented: dispatch has parsed the input, and left nothing out. */
export type Implementation<Rows> = {
  readonly [Name in keyof Rows]: (
    input: InputOf<Rows[Name]>,
    options: OptionsOf<Rows[Name]>,
  ) => Promise<OutputOf<Rows[Name]>>;
};

interface Given {
  readonly summary: string;
  readonly role: Role;
}

/** Beyond role, route and summary. Output and options are only named, by `type`. */
interface Row<Out, Told, Options> {
  readonly redact?: Operation['redact'];
  readonly output?: Out | undefined;
  readonly progress?: Progress<Told>;
  readonly options?: Options | undefined;
  readonly stream?: 'events';
  readonly bodyBytesMax?: number;
  readonly isUsual?: Operation['isUsual'];
}

/** A row of the table. The input's type is that of its schema. */
export function op<
  Schema extends zod.ZodType = zod.ZodObject<NoFields>,
  Out = void,
  Told = never,
  Options = Waiting & Telling<Told>,
>(
  route: `${Method} /${string}`,
  row: Given & Row<Out, Told, Options> & { readonly input?: (z: Zod) => Schema },
): RoutedOperation<ReadonlyDeep<zod.output<Schema>>, Out, Options> {
  const { summary, role, redact, input = nothing, progress, stream = progress, bodyBytesMax, isUsual } = row;
  const [method, path] = route.split(' ') as [Method, `/${string}`]; // as the type of `route` says
  return {
    summary,
    role,
    input,
    ...(redact ? { redact } : {}),
    ...(isUsual ? { isUsual } : {}),
    route: { method, path, ...(stream ? { stream } : {}), ...(bodyBytesMax ? { bodyBytesMax } : {}) },
  };
}

/** The same for one role, with an input of exactly these fields. */
const rowsOf =
  (role: Role) =>
  <Fields extends zod.ZodRawShape = NoFields, Out = void, Told = never, Options = Waiting & Telling<Told>>(
    route: `${Method} /${string}`,
    summary: string,
    row: Row<Out, Told, Options> & { readonly input?: (z: Zod) => Fields } = {},
  ): RoutedOperation<ReadonlyDeep<zod.output<zod.ZodObject<Fields>>>, Out, Options> => {
    const { input = () => ({}) as Fields, ...rest } = row; // without `input`, `Fields` is its default
    return op(route, { ...rest, summary, role, input: (z) => z.strictObject(input(z)) });
  };

export const member = rowsOf('member');
export const owner = rowsOf('owner');

/** A row that cannot travel: it takes or answers what is no JSON, or is for the gateway alone. */
export function local<In, Out, Options = Waiting>(
  summary: string,
  row: {
    readonly redact?: Operation['redact'];
    readonly input: In | undefined;
    readonly output: Out | undefined;
    readonly options?: Options | undefined;
  },
): Operation<In, Out, Options> {
  const { redact } = row;
  return { summary, role: 'member', input: (z) => z.unknown(), ...(redact ? { redact } : {}) };
}

/** Names a type in a row. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the row knows the type
export function type<T>(): T | undefined {
  return undefined;
}

/** Says that an operation may stream, and what; `never` for one that has only its result to send. */
export function progress<Told = never>(): Progress<Told> {
  return 'progress';
}

type Progress<Told> = 'progress' & { readonly told?: Told };

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no fields are exactly that
type NoFields = Record<never, never>;

export interface Waiting {
  readonly signal?: AbortSignal;
}

type Telling<Told> = [Told] extends [never] ? unknown : { readonly onProgress?: (progress: Told) => void };

/** What callers give is never changed, so they may keep it readonly. Records pass as they are. */
type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

function nothing(z: Zod): never {
  return z.strictObject({}) as never; // the default of `Schema`, whatever else could be asked for
}
