/** Makes a command run other code than its command line says. Not PYTHONPATH or NODE_PATH: checkouts need them. */
export function isDangerousVariable(name: string, value: string): boolean {
  const upper = name.toUpperCase();
  // `ENV=production` is harmless; a path or an expansion would be sourced by a shell.
  if (upper === 'ENV') return !/^[\w.-]*$/.test(value);
  return NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
}

/** LD_ and DYLD_ load libraries, BASH_FUNC_ defines commands, GIT_CONFIG_ may name programs to run. */
const PREFIXES = 'LD_ DYLD_ _RLD_ BASH_FUNC_ GIT_CONFIG_ COR_ CORECLR_'.split(' ');

const NAMES: ReadonlySet<string> = new Set(
  [
    // The C library
    'GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES',
    // Shells
    'BASH_ENV BASHOPTS SHELLOPTS PS4 IFS PROMPT_COMMAND ZDOTDIR',
    // Language runtimes
    'NODE_OPTIONS NODE_REPL_EXTERNAL_MODULE NPM_CONFIG_NODE_OPTIONS NPM_CONFIG_SCRIPT_SHELL',
    'PYTHONSTARTUP PYTHONHOME PYTHONBREAKPOINT PYTHONINSPECT PERL5OPT PERL5DB RUBYOPT LUA_INIT',
    'JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS DOTNET_STARTUP_HOOKS PHPRC PHP_INI_SCAN_DIR',
    // Programs that git and ssh start
    'GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_EXEC_PATH GIT_ASKPASS GIT_EDITOR',
    'GIT_PAGER GIT_TEMPLATE_DIR SSH_ASKPASS',
    // Windows
    'COMSPEC PATHEXT APPINIT_DLLS',
  ].flatMap((names) => names.split(' ')),
);
