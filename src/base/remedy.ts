/** The next step as data, which every face words: as a command, a sentence for a model, or a button. */
export type Remedy =
  // Servers
  | ({ readonly do: 'sign-in' } & SignInRemedy)
  /** The server signs in by itself, and waits until this page was visited. */
  | { readonly do: 'open-address'; readonly server: string; readonly url: string }
  /** The server registers no clients itself: the user registers one there and gives its id. */
  | { readonly do: 'give-client-id'; readonly server: string; readonly callbackPort?: number }
  | { readonly do: 'sign-out'; readonly server: string; readonly account?: string }
  | { readonly do: 'choose-account'; readonly server?: string }
  | With<'server', 'restart' | 'enable' | 'disable' | 'trust' | 'remove' | 'show-server' | 'show-logs'>
  | With<'name', 'add-server'>
  /** Its package, into our store; with its install scripts, if they are named. */
  | { readonly do: 'install-package'; readonly server: string; readonly scripts?: boolean }
  | { readonly do: 'check'; readonly server?: string; readonly live?: boolean; readonly fix?: boolean }
  | { readonly do: 'find-server'; readonly words: string }
  | With<never, 'import'>
  /** It has changed in the file that it follows: the imported one is removed first. */
  | { readonly do: 'import-again'; readonly server: string; readonly client: string }
  | ({ readonly do: 'edit-server' } & EditServerRemedy)
  /** The port that it wants to listen on is taken. */
  | {
      readonly do: 'choose-port';
      readonly server: string;
      readonly port: number;
      /** The program that has it, as the doctor found it: “node (pid 4242)”. */
      readonly holder?: string;
    }
  /** The file or folder that its definition names is not there. */
  | { readonly do: 'choose-path'; readonly server: string; readonly path: string }
  // Tools
  | ({ readonly do: 'list-tools' } & ToolsRemedy)
  | With<'server', 'list-resources'>
  | { readonly do: 'review-tools'; readonly server?: string }
  | { readonly do: 'approve-tools'; readonly tools: readonly string[] }
  | With<'tool', 'enable-tool' | 'call'>
  // Permissions
  | ({ readonly do: 'grant' } & GrantRemedy)
  | With<'id', 'revoke-grant' | 'approve'>
  | { readonly do: 'allow-writes'; readonly server?: string }
  | With<'name', 'show-profile' | 'replace-host'>
  | With<never, 'check-rules'>
  | { readonly do: 'add-host'; readonly name?: string }
  // Secrets and models
  /** With the server that must restart to read it. */
  | { readonly do: 'set-secret'; readonly name: string; readonly server?: string }
  | With<never, 'unlock-vault' | 'move-vault-key'>
  | ({ readonly do: 'add-model' } & ModelRemedy)
  | With<'name', 'test-model'>
  // The hub
  | { readonly do: 'start-hub'; readonly foreground?: boolean }
  | With<never, 'restart-hub' | 'open-page'>
  | { readonly do: 'show'; readonly what: Shown }
  | { readonly do: 'help'; readonly topic: string }
  /** The last change; with `force` also where somebody changed the same things since. */
  | { readonly do: 'undo'; readonly force?: boolean }
  | { readonly do: 'update'; readonly server?: string }
  // What is not ours to do
  | { readonly do: 'install'; readonly program: string; readonly url: string; readonly line?: string }
  | { readonly do: 'retry' }
  /** Save it without trying it; or what was typed is wrong. */
  | { readonly do: 'skip-test' }
  | { readonly do: 'wait'; readonly seconds: number }
  /** A system command, as a shell takes it. */
  | { readonly do: 'run'; readonly line: string }
  /** How a command of ours is typed. Only the command line itself uses this. */
  | { readonly do: 'type'; readonly line: string }
  | { readonly do: 'say'; readonly text: string };

/** One remedy for each `do`, with one text beside it. */
type With<Field extends string, Do extends string> = Do extends Do
  ? { readonly do: Do } & { readonly [Name in Field]: string }
  : never;

export interface EditServerRemedy {
  readonly server: string;
  /** Such as `args` or `env.API_KEY`. */
  readonly field?: string;
  readonly to?: string;
  readonly file?: string;
  /** Of a server that takes the value at its address, so that a command can add it again. */
  readonly address?: string;
}

interface ToolsRemedy {
  readonly server?: string;
  readonly search?: string;
  readonly schemas?: boolean;
}

export interface SignInRemedy {
  readonly server: string;
  readonly account?: string;
  readonly clientId?: string;
  readonly callbackPort?: number;
}

export interface GrantRemedy {
  readonly tool: string;
  readonly once?: boolean;
  readonly argsHash?: string;
  readonly account?: string;
}

export interface ModelRemedy {
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly needs?: 'key';
}

export type Shown =
  | 'servers'
  | 'profiles'
  | 'hosts'
  | 'grants'
  | 'approvals'
  | 'rules'
  | 'models'
  | 'secrets'
  | 'hub'
  | 'gateway';

export interface NextStep {
  readonly remedy?: Remedy;
  /** The command that works as printed, or a sentence; derived from `remedy`. */
  readonly next?: string;
}
