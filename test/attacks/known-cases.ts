/** A case as it is written down: what is tried and, if it cannot be tried here, why. */
type Case = string | { readonly tries: string; readonly cannotApply: string };

/**
 * Cases known from incidents of other products and from the duties of the specification, by area. The
 * place in its list is the number of a case: the first of `A` is A1. Nothing may be moved or taken out.
 */
export const KNOWN_CASES: Readonly<Record<string, readonly Case[]>> = {
  // The hub on this machine.
  A: [
    'a request for another host’s name reaches a route',
    'a page of another origin, or of another local port, sends a request',
    'a route answers without the token, or with a wrong one',
    'a link or a form of another page gives a command',
    'the hub listens beyond this machine',
    'the page’s token is used twice, or read from a log or a referrer',
    'the page is shown inside a frame of another page',
    'a stream or an upgrade is opened from another origin',
    'a command is tried out without the token',
    'tokens are guessed by the thousand',
    'a body too large, too deep or with too many parts fills the memory',
    'hundreds of connections send a byte now and then',
    'another user of the machine opens the socket',
  ],
  // What is shown.
  B: [
    'markup in a server’s words becomes part of the page',
    'a server’s link or icon runs a script when it is clicked',
    'an icon runs a script, or makes the hub call an address of the local network',
    'a server’s words move the cursor, write to the clipboard or hide text in the terminal',
    'a carriage return hides the true argument in a question',
    'characters that nobody sees hold orders to the model',
    'a name looks like a known one in other letters',
    'a server’s log forges a record of ours',
  ],
  // Definitions and installing.
  C: [
    'an approved entry is edited by one byte and starts unasked',
    'a new server appears in a watched project file and starts',
    'a link to add a server hides its true arguments',
    'an approved project is copied, and the approval with it',
    'a project that was never trusted starts, contacts or reads something',
    'words of a command are read by a shell',
    'a variable makes another program run inside the server',
    'a definition from elsewhere reads the environment into an address or a header',
    'a name leaves its folder or breaks a file',
    'a name reaches the prototype of all objects',
    'a package is exchanged behind a name without a version',
    'a package’s name is a slip of the finger away from a known one',
    'a package is exchanged behind the same version',
    {
      tries: 'a user without the right adds a program or edits what belongs to all',
      cannotApply:
        'a hub has one user and no roles: everyone who is let in is that user, and other users of the machine are kept out (A13)',
    },
  ],
  // Programs that we start.
  D: [
    'a server reads the environment of the hub',
    'another user reads a secret in the list of processes',
    'a secret is found in a log, an error, the audit, a file or the page',
    'a server inherits open files of the hub',
    'a server sends noise, or a line that never ends',
    'a server answers questions that were not asked, or twice, or both ways at once',
    'a server hangs in its handshake, and the hub stops meanwhile',
    'a server ignores that its input ended, and the signal to end',
    'a grandchild in a session of its own survives the killed hub',
    'a server exits at once, again and again',
    'a server floods its standard error',
  ],
  // Servers elsewhere.
  E: [
    'a server names an address of the local network as its metadata',
    'metadata name addresses of the local network for signing in',
    'a name leads to a public address when it is checked and to this machine when it is dialed',
    'an address in numbers passes the check of names',
    'a redirect carries the key and the body to another origin',
    'a redirect leaves https, or a certificate is not right',
    'an event without an end, or a small body that unpacks to a large one, fills the memory',
    'a header is endless, or a body comes byte by byte or not at all',
    'a stream asks to be opened again at once, or in weeks',
    'a schema makes us fetch another one',
    'a schema or its pattern takes all the time there is',
    'a template of addresses takes all the time there is',
    'a tool declares a header that forges other headers',
    'a list never ends, or leads in a circle',
    'a server says ten thousand times a second that its list has changed',
    'a description of megabytes, or tens of thousands of tools',
    'a result of a hundred megabytes holds up everyone else',
    'a server’s address is written so that it passes for another',
  ],
  // Signing in.
  F: [
    'the address for signing in is none that a browser should be sent to',
    'the address for signing in is read by a shell',
    'metadata speak in the name of another issuer',
    'the answer of one authorization server is passed off as another’s',
    'an authorization server does without the proof of the code',
    'the state is missing, used twice or old',
    'another program knocks at the place where the answer is awaited',
    'a server names another authorization server, to receive what is kept for the first',
    'metadata speak for another server than the one that was asked',
    'a token is sent in an address, or to a server that it is not meant for',
    'fifty calls at once find the token expired',
    'the process is killed between a new token and its being kept',
    'a process with an old token throws the new one away',
    'a server asks for more rights for ever',
    'the answer with the token is no answer at all',
    'two servers are taken for one, and share a token',
    'the bearer token of a host is passed on to a server',
    'a token that was issued for something else opens the gateway',
    {
      tries: 'a new client uses a consent that was given to another',
      cannotApply:
        'the gateway is no authorization server: it registers no clients, asks for no consent and redirects nobody; hosts have tokens of the hub’s own making (F18)',
    },
    'a server sends the person to an address that looks like another',
  ],
  // Hosts, and servers that speak to models.
  G: [
    'two hosts use the same ids, and one receives what is the other’s',
    'a host uses a session or a handle of another',
    'thousands of sessions are opened and left',
    'a list made for one host is served to another',
    'a server takes the name of another’s tool, or of one of ours',
    'a tool changes its description, schema or annotations after it was approved',
    'a server says of itself that its tool only reads',
    'a description orders the model to read the private key',
    'a result pretends to be the system or a call',
    'a secret comes back in a result',
    {
      tries: 'an id of one tenant is asked for by another',
      cannotApply:
        'a hub has one user and no tenants: its database belongs to that user, and hosts of that user are kept apart by G2 and G4',
    },
    'a header names another tool than the body',
    'a server asks for what was not agreed on, or asks without end',
    'one message is read in two ways by us and by the server',
  ],
  // The vault.
  H: [
    'the folder is open to all, or a link lies where a file will be written',
    'one byte of a sealed record is changed',
    'a sealed record has a seal of four bytes',
    'a nonce is used twice in a million writes',
    'two sealed records change places',
    'an old file is put back',
    'there is no keyring',
    'two hubs start at once, or a number of a dead process is used again',
  ],
};
