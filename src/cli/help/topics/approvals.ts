import type { Topic } from '../topic.ts';

export const approvals: Topic = {
  title: 'What asks before it runs, and how to answer',
  text: `
Every call takes one path, on which one decision is made: it runs, it asks a person, or it is denied.

  a tool that …        on a server you trust    on any other
  reads                runs                     asks
  writes               asks                     asks
  destroys             always asks              always asks
  is of unknown risk   asks                     asks

AT A TERMINAL

plug call shows a card: the server, the tool, its risk, all arguments, and why it asks. One key answers:

  y  yes, this once             e  edit the arguments first
  s  yes, until the hub stops   n  no; a model is told your reason
  t  yes, this tool always      Esc  stop the call
  r  yes, all that reads here   a  always for arguments like these

Enter alone is a no. Only keys that make sense are offered.

FROM ELSEWHERE

A call of a host or a program may wait, for five minutes; then it is denied.

  plug approvals
  plug approve ID
  plug approve ID --remember tool
  plug deny ID --note TEXT

A script cannot be asked: it ends with exit code 3 and the command that would allow the call.

SEE ALSO

  plug help grants, plug help rules
`,
};
