/**
 * What each provider accepts, as data. Names of the sources: OpenAI “Function calling” and the API
 * reference of chat completions; Anthropic “Define tools”; Google “Function calling with the Gemini
 * API” and the references of `FunctionDeclaration` and `Schema`; MCP specification, tools.
 */
export interface ProviderLimits {
  /** What a tool may be called. */
  readonly name: RegExp;
  readonly nameCharsMax: number;
  /** What a field may be called. Undefined: anything. */
  readonly field: RegExp | undefined;
  /** The request is refused when more tools are sent. */
  readonly toolsMax: number | undefined;
  /** No `anyOf`, `oneOf`, `allOf`, `enum`, `const` or `not` at the top of a schema. */
  readonly flatTop: boolean;
  /** `properties` must be there even when there are none. */
  readonly needsProperties: boolean;
  /** An array has to say what its items are. */
  readonly needsItems: boolean;
  /** Schemas have to be JSON Schema 2020-12, whatever they say they are. */
  readonly only2020: boolean;
}

export type Provider = 'openai' | 'anthropic' | 'gemini' | 'ai-sdk' | 'mcp';

const WORD = /^[a-zA-Z0-9_-]{1,64}$/;

export const PROVIDER_LIMITS: Readonly<Record<Provider, ProviderLimits>> = {
  openai: {
    name: WORD,
    nameCharsMax: 64,
    field: undefined,
    toolsMax: 128,
    flatTop: true,
    needsProperties: true,
    needsItems: true,
    only2020: false,
  },
  anthropic: {
    name: WORD,
    nameCharsMax: 64,
    field: /^[a-zA-Z0-9_.-]{1,64}$/,
    toolsMax: undefined,
    flatTop: true,
    needsProperties: false,
    needsItems: false,
    only2020: true,
  },
  gemini: {
    name: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
    nameCharsMax: 64,
    field: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    toolsMax: undefined,
    flatTop: true,
    needsProperties: false,
    needsItems: true,
    only2020: true,
  },
  // The SDK hands a schema to whichever provider is behind it: what all of them take.
  'ai-sdk': {
    name: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
    nameCharsMax: 64,
    field: /^[a-zA-Z0-9_.-]{1,64}$/,
    toolsMax: undefined,
    flatTop: true,
    needsProperties: true,
    needsItems: true,
    only2020: true,
  },
  mcp: {
    name: /^[a-zA-Z0-9_.-]{1,128}$/,
    nameCharsMax: 128,
    field: undefined,
    toolsMax: undefined,
    flatTop: false,
    needsProperties: false,
    needsItems: false,
    only2020: false,
  },
};

/** Everything that the `Schema` of the Gemini API knows; any other key makes the request fail. */
export const GEMINI_KEYWORDS: ReadonlySet<string> = new Set(
  `type format title description nullable enum items minItems maxItems properties required minProperties
  maxProperties minLength maxLength pattern anyOf minimum maximum default example propertyOrdering`.split(
    /\s+/,
  ),
);

/** Formats that it takes, by type; others are refused for strings. */
export const GEMINI_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};
