import type { Topic } from '../topic.ts';

export const environment: Topic = {
  title: 'The variables that count',
  text: `
  PLUG_HOME                  one folder for all our files
  PLUG_MCP_CONFIG            a config file that is stronger than the others
  PLUG_DATABASE_URL          PostgreSQL instead of the file in the data folder
  PLUG_PORT                  the hub's port on the loopback; else a free one
  PLUG_REGISTRIES            registries, as JSON; stronger than registries.json
  PLUG_REMOTE_ONLY           decline servers that would run on this machine
  PLUG_MASTER_KEY            the key of the vault, 32 bytes in base64
  PLUG_NO_KEYRING            do not use the keyring of the system
  PLUG_CLIENT_METADATA_URL   our client metadata document, for signing in

They are read by the hub when it starts: after a change, plug hub restart. plug config shows what is set.

FOR THE COMMAND ITSELF

  NO_COLOR            no colours; --no-color does the same
  FORCE_COLOR         colours even in a pipe
  TERM=dumb           no colours, and no line that replaces itself
  COLUMNS             the width, where the terminal does not know it
  VISUAL, EDITOR      for plug config edit
  PAGER               for plug help TOPIC, on a terminal
  XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME

Servers do not see your environment, only a short list of it and what their definitions declare.
`,
};
