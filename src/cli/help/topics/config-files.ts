import type { Topic } from '../topic.ts';

export const configFiles: Topic = {
  title: 'Which files are read, and in which order',
  text: `
Servers added with plug add live in the database. Others may stand in files that are yours: they are read, watched, and never written. The stronger one counts when two define the same name.

  1  the path in PLUG_MCP_CONFIG
  2  mcp.json in the folder you are in
  3  mcp.json in your config folder
  4  the database

  plug config          where all that is, and what came of it
  plug config path     only the folders
  plug config edit     opens your mcp.json, and checks it afterwards

A project's file may have been written by somebody else: each of its entries stays off until you trust it, exactly as it reads.

  plug trust

Comments and trailing commas are fine. A mistake stops nothing: plug list names the line, and what was read last goes on. Beside your mcp.json may stand rules.json and registries.json.
`,
};
