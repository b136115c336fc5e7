/** “This may run without asking”, bound to whom, to which server and to which definition. */
export interface Grant {
  readonly id: string;
  readonly principal: string;
  /** Key and fingerprint of the server: another command or address is another server. */
  readonly server: string;
  readonly fingerprint: string;
  readonly scope: GrantScope;
  /** Epoch milliseconds; absent: until it is revoked. */
  readonly until?: number;
  /** Gone when the hub stops; never stored. */
  readonly session: boolean;
  /** Where it came from, as in “plug grants add” or “approval appr_…”. */
  readonly source: string;
  readonly createdAt: number;
}

export type GrantScope =
  | { readonly kind: 'once'; readonly tool: string; readonly hash: string; readonly argsHash?: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly hash: string }
  /** Every tool of the server that reads, in the definitions that are pinned. */
  | { readonly kind: 'reads' }
  | {
      readonly kind: 'arguments';
      readonly tool: string;
      readonly hash: string;
      /** Dotted path → glob over the value as text. Arguments that are not named may be anything. */
      readonly pattern: Readonly<Record<string, string>>;
    };
