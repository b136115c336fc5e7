import type * as hub from '../hub/hub.ts';

/** Input and output of the operations about models, chat, the doctor and backups. */
export interface ChatOperations {
  'models.list': Operation<Nothing, readonly hub.ModelView[]>;
  'models.save': Operation<hub.NewModel, hub.ModelView>;
  'models.remove': Operation<{ readonly name: string }, void>;
  'models.setDefault': Operation<{ readonly name: string }, void>;
  'models.offered': Operation<hub.OfferedRequest, readonly string[]>;

  /** Its progress is ChatEvents. */
  'chat.turn': Operation<hub.ChatRequest, hub.ChatOutcome>;
  'chat.suggest': Operation<Parameters<hub.ChatApi['suggest']>[0], readonly hub.ServerSuggestion[]>;

  /** Its progress is DoctorRows. */
  'doctor.run': Operation<hub.DoctorRequest, hub.DoctorReport>;
  'doctor.fix': Operation<{ readonly fixes: readonly string[] }, readonly hub.FixOutcome[]>;

  'backups.make': Operation<{ readonly passphrase?: string }, hub.Backup>;
  'backups.check': Operation<hub.RestoreRequest, hub.RestoreOutcome>;
  'backups.restore': Operation<hub.RestoreRequest, hub.RestoreOutcome>;
}

interface Operation<In, Out> {
  readonly input: In;
  readonly output: Out;
}

type Nothing = Readonly<Record<string, never>>;
