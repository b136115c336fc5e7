/**
 * Sources: OpenAI “Function calling” and chat completions; Anthropic “Define tools”; Google “Function
 * calling with the Gemini API”, `FunctionDeclaration` and `Schema`; MCP specification, tools.
 */
export interface ProviderLimits {
  readonly name: RegExp;
  readonly nameCharsMax: number;
  /** Undefined: anything. */
  readonly field: RegExp | undefined;
  /** More tools are refused. */
  readonly toolsMax: number | undefined;
  /** No composition, `enum`, `const` or `not` at the top of a schema. */
  readonly flatTop: boolean;
  readonly needsProperties: boolean;
  readonly needsItems: boolean;
  /** Schemas must be 2020-12. */
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
  // What all providers behind the SDK take.
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

/** Any other key is refused. */
export const GEMINI_KEYWORDS: ReadonlySet<string> = new Set(
  `type format title description nullable enum items minItems maxItems properties required minProperties
  maxProperties minLength maxLength pattern anyOf minimum maximum default example propertyOrdering`.split(
    /\s+/,
  ),
);

/** Other formats are refused for strings. */
export const GEMINI_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};
