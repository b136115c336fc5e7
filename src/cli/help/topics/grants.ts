import type { Topic } from '../topic.ts';

export const grants: Topic = {
  title: 'Letting a tool run without asking',
  text: `
A grant is a remembered permission. It is bound to you, to the server as it is and to the tool as it is described: change one byte of either and it does not hold any more.

  plug grants add github/create_issue
  plug grants add github/create_issue --args 'repo=acme/*'
  plug grants add github/create_issue --until 30d
  plug grants add github/create_issue --once
  plug grants add github --session

The last allows all that reads on a server, until the hub stops. In a pattern * stands for any characters and ? for one; body.text is a field in a field, and to.* every item of a list.

What destroys can be granted for one call, for given arguments or until a date; never for ever.

  plug grants list
  plug grants revoke ID

Trust is wider: what reads on a trusted server runs without asking.

  plug trust github
`,
};
