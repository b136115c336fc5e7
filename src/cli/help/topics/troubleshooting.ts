import type { Topic } from '../topic.ts';

export const troubleshooting: Topic = {
  title: 'From what you see to what to do',
  text: `
Every failure says what happened, whose move it is (owner) and what to do (next). Begin here:

  plug status
  plug doctor
  plug doctor SERVER

  asleep            nothing is wrong: it starts on first use
  degraded          plug status SERVER
  disabled          plug enable SERVER
  not trusted yet   plug trust SERVER
  needs sign-in     plug auth SERVER
  needs …           set the variable or file that it names
  crashed           plug logs SERVER, then plug restart SERVER
  quarantined       plug tools --audit, then plug tools approve SERVER/TOOL

A COMMAND IS NOT FOUND

Commands are looked up on the PATH of your login shell. If one works in your terminal and not here, give its whole path.

THE HUB

  plug hub status
  plug hub restart
  plug hub start --foreground

It has the environment of the shell that started it: after a change of PATH or of a variable, restart it. Its log is hub.log in the state folder: plug config path.
`,
};
